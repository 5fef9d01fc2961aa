// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {VM} from "../support/Vm.sol";
import {ResolverFuzz} from "./ResolverFuzz.sol";

/// @dev Each function about who counts, after any course of events, against the plain twin.
contract ResolverControllersTest is ResolverFuzz {
    function testFuzz_vouchController(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 controller
    ) external {
        _live(seeds);
        _call(
            _account(caller),
            abi.encodeCall(IResolver.vouchController, (_didHash(did), _account(controller)))
        );
        _readControllers(_didHash(did));
    }

    function testFuzz_rejectController(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 controller
    ) external {
        _live(seeds);
        _call(
            _account(caller),
            abi.encodeCall(IResolver.rejectController, (_didHash(did), _account(controller)))
        );
        _readControllers(_didHash(did));
    }

    /// @dev Of one newcomer, by as many controllers as there are rejections kept, more or fewer.
    function testFuzz_rejectController_byMany(uint256 rejecters, uint256 revoked) external {
        bytes32 didHash = _didHash(1);
        (address newcomer, uint160 others) = (_account(FIRST), 0xc0de);
        rejecters = 1 + (rejecters % 7);
        for (uint160 i = 0; i < rejecters; ++i) {
            _succeed(_account(2), abi.encodeCall(IResolver.attestDID, (didHash, address(others + i), 0)));
        }
        VM.warp(block.timestamp + MATURATION);
        _succeed(_account(2), abi.encodeCall(IResolver.attestDID, (didHash, newcomer, 0)));
        for (uint160 i = 0; i < rejecters; ++i) {
            _call(address(others + i), abi.encodeCall(IResolver.rejectController, (didHash, newcomer)));
        }
        address silenced = address(others + uint160(revoked % rejecters));
        _succeed(_account(2), abi.encodeCall(IResolver.revokeDID, (didHash, silenced)));
        for (uint160 i = 0; i < rejecters; ++i) {
            _call(address(others + i), abi.encodeCall(IResolver.rejectController, (didHash, newcomer)));
        }
        VM.warp(block.timestamp + MATURATION);
        _readControllers(didHash);
    }

    function testFuzz_challengeDID(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 incumbent
    ) external {
        _live(seeds);
        _call(_account(caller), abi.encodeCall(IResolver.challengeDID, (_didHash(did), _account(incumbent))));
    }

    function testFuzz_resolveChallenge(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 incumbent,
        uint256 challenger
    ) external {
        _live(seeds);
        bytes32 didHash = _didHash(did);
        _call(
            _account(caller),
            abi.encodeCall(IResolver.resolveChallenge, (didHash, _account(incumbent), _account(challenger)))
        );
        _readControllers(didHash);
    }

    function testFuzz_checkDID(uint256[8] calldata seeds, uint256 did, uint256 account) external {
        _live(seeds);
        _read(abi.encodeCall(IResolver.checkDID, (_didHash(did), _account(account))));
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            _read(abi.encodeCall(IResolver.checkDID, (_didHash(did), _account(i))));
        }
    }

    function testFuzz_getController(uint256[8] calldata seeds, uint256 did, uint256 account) external {
        _live(seeds);
        _read(abi.encodeCall(IResolver.getController, (_didHash(did), _account(account))));
        _readControllers(_didHash(did));
    }

    function testFuzz_ownershipScore(uint256[8] calldata seeds, uint256 did, uint256 account) external {
        _live(seeds);
        _read(abi.encodeCall(IResolver.ownershipScore, (_didHash(did), _account(account))));
    }

    function testFuzz_firstController(uint256[8] calldata seeds, uint256 did) external {
        _live(seeds);
        _read(abi.encodeCall(IResolver.firstController, (_didHash(did))));
    }

    function testFuzz_getChallenge(
        uint256[8] calldata seeds,
        uint256 did,
        uint256 incumbent,
        uint256 challenger
    ) external {
        _live(seeds);
        bytes32 didHash = _didHash(did);
        _read(abi.encodeCall(IResolver.getChallenge, (didHash, _account(incumbent), _account(challenger))));
    }

    function _readControllers(bytes32 didHash) private {
        for (uint256 i = FIRST; i < ACCOUNTS; ++i) {
            _read(abi.encodeCall(IResolver.getController, (didHash, _account(i))));
        }
    }
}
