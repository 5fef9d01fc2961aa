// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {IResolver} from "../interfaces/IResolver.sol";
import {DrivenAccount} from "./DrivenAccount.sol";

/// @title Drives accounts through a history of calls
/// @notice Performs many calls in one transaction, each from an account of its own, and asks everything afterwards.
contract HistoryDriver {
    /// @notice One call. The account 0 is the driver itself, which owns the resolver.
    struct Call {
        uint256 account;
        address target;
        bytes data;
    }

    /// @notice What is asked after a burst of calls.
    struct Questions {
        string[] dids;
        address[] accounts;
        /// @dev Asked of `countedSince`.
        uint64[] sinces;
        bytes32[] dataHashes;
        /// @dev The registry's records of major 0 up to this one, exclusive, are asked for their owners.
        uint8 majors;
        /// @dev Also asks each function that repeats an answer, for each issuer, and for what each stated.
        bool withRecords;
    }

    /// @notice The first four bytes that each call reverted with, or zero; and the answers, see `answers`.
    event Performed(bytes4[] errors, bytes answers);

    IResolver private _resolver;
    IAppRegistry private _registry;

    /// @notice The accounts, in the order of their numbers, which begin at 1.
    DrivenAccount[] public accounts;

    constructor(uint256 count) {
        for (uint256 i = 0; i < count; ++i) accounts.push(new DrivenAccount());
    }

    /// @notice Sets whom to ask.
    function ask(IResolver resolver, IAppRegistry registry) external {
        _resolver = resolver;
        _registry = registry;
    }

    /// @notice Performs the calls, whether they revert or not.
    function perform(Call[] calldata calls, Questions calldata questions) external {
        bytes4[] memory errors = new bytes4[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            Call calldata c = calls[i];
            bool success;
            bytes memory result;
            // solhint-disable-next-line avoid-low-level-calls
            if (c.account == 0) (success, result) = c.target.call(c.data);
            else (success, result) = accounts[c.account - 1].perform(c.target, c.data);
            if (!success) errors[i] = result.length < 4 ? bytes4(0xffffffff) : bytes4(result);
        }
        emit Performed(errors, answers(questions));
    }

    /// @notice Every answer in the order in which it is asked here, packed; lists are not packed.
    function answers(Questions calldata q) public view returns (bytes memory out) {
        for (uint256 i = 0; i < q.dids.length; ++i) {
            bytes32 didHash = keccak256(bytes(q.dids[i]));
            out = bytes.concat(out, _flag(_resolver.isClaimed(didHash)));
            for (uint256 j = 0; j < q.accounts.length; ++j) {
                out = bytes.concat(out, _ofController(didHash, q.accounts[j], q));
            }
            for (uint256 j = 0; j < q.dataHashes.length; ++j) {
                out = bytes.concat(out, _ofDataHash(didHash, q.dataHashes[j], q));
            }
            for (uint8 major = 0; major < q.majors; ++major) {
                out = bytes.concat(out, bytes20(_ownerOf(q.dids[i], major)));
            }
        }
        if (q.withRecords) out = bytes.concat(out, abi.encode(_resolver.getIssuers()));
    }

    function _ofController(
        bytes32 didHash,
        address account,
        Questions calldata q
    ) private view returns (bytes memory out) {
        IResolver.ControllerView memory c = _resolver.getController(didHash, account);
        out = abi.encodePacked(c.counts, c.attested, c.objected, c.late, c.settlesAt);
        out = abi.encodePacked(out, uint8(c.score), uint8(c.standing));
        for (uint256 i = 0; i < q.sinces.length; ++i) {
            out = bytes.concat(out, _flag(_resolver.countedSince(didHash, account, q.sinces[i])));
        }
        if (!q.withRecords) return out;
        return
            abi.encodePacked(
                out,
                _resolver.checkDID(didHash, account),
                uint8(_resolver.ownershipScore(didHash, account)),
                abi.encode(_resolver.getObjections(didHash, account)),
                abi.encode(_resolver.getDIDAttestations(didHash, account))
            );
    }

    function _ofDataHash(
        bytes32 didHash,
        bytes32 dataHash,
        Questions calldata q
    ) private view returns (bytes memory out) {
        out = bytes.concat(_flag(_resolver.checkDataHashAttestation(didHash, dataHash)));
        if (!q.withRecords) return out;
        return bytes.concat(out, abi.encode(_resolver.getDataHashAttestations(didHash, dataHash)));
    }

    function _ownerOf(string calldata did, uint8 major) private view returns (address) {
        uint256 tokenId = _registry.tokenIdOf(did, major);
        return tokenId == 0 ? address(0) : IERC721(address(_registry)).ownerOf(tokenId);
    }

    function _flag(bool value) private pure returns (bytes1) {
        return value ? bytes1(0x01) : bytes1(0x00);
    }
}
