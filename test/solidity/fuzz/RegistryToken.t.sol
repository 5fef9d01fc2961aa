// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {RegistryFuzz} from "./RegistryFuzz.sol";

/// @dev Compares each function of ERC-721 and its extensions with the plain twin, after random calls.
contract RegistryTokenTest is RegistryFuzz {
    function testFuzz_approve(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 to,
        uint256 tokenId
    ) external {
        _live(seeds);
        _call(_account(caller), abi.encodeCall(registry.approve, (_account(to), _id(tokenId))));
        _read(abi.encodeCall(registry.getApproved, (_id(tokenId))));
    }

    function testFuzz_setApprovalForAll(uint256 caller, uint256 operator, bool approved) external {
        address other = operator % 8 == 0 ? address(0) : _account(operator);
        _call(_account(caller), abi.encodeCall(registry.setApprovalForAll, (other, approved)));
        _read(abi.encodeCall(registry.isApprovedForAll, (_account(caller), other)));
    }

    function testFuzz_transferFrom(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 from,
        uint256 to,
        uint256 tokenId
    ) external {
        _live(seeds);
        _mayApprove(caller, tokenId);
        (address owner, address heir) = (_from(from, tokenId), to % 8 == 0 ? address(0) : _account(to));
        _call(_account(caller), abi.encodeCall(registry.transferFrom, (owner, heir, _id(tokenId))));
        _readHolders(tokenId);
    }

    function testFuzz_safeTransferFrom(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 from,
        uint256 to,
        uint256 tokenId
    ) external {
        _live(seeds);
        _mayApprove(caller, tokenId);
        _call(
            _account(caller),
            abi.encodeWithSignature(
                "safeTransferFrom(address,address,uint256)",
                _from(from, tokenId),
                _account(to),
                _id(tokenId)
            )
        );
        _readHolders(tokenId);
    }

    function testFuzz_safeTransferFrom_withData(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 from,
        uint256 to,
        uint256 tokenId,
        bytes calldata data
    ) external {
        _live(seeds);
        _mayApprove(caller, tokenId);
        _call(
            _account(caller),
            abi.encodeWithSignature(
                "safeTransferFrom(address,address,uint256,bytes)",
                _from(from, tokenId),
                _account(to),
                _id(tokenId),
                data
            )
        );
        _readHolders(tokenId);
    }

    function testFuzz_balanceOf(uint256[6] calldata seeds, uint256 owner) external {
        _live(seeds);
        address holder = owner % 16 == 0 ? address(0) : _account(owner);
        _read(abi.encodeCall(registry.balanceOf, (holder)));
    }

    function testFuzz_ownerOf(uint256[6] calldata seeds, uint256 tokenId) external {
        _live(seeds);
        _read(abi.encodeCall(registry.ownerOf, (_id(tokenId))));
    }

    function testFuzz_getApproved(uint256[6] calldata seeds, uint256 to, uint256 tokenId) external {
        _call(_account(0), abi.encodeCall(registry.approve, (_account(to), _id(tokenId))));
        _live(seeds);
        _read(abi.encodeCall(registry.getApproved, (_id(tokenId))));
    }

    function testFuzz_isApprovedForAll(uint256[6] calldata seeds, uint256 owner, uint256 operator) external {
        _live(seeds);
        _read(abi.encodeCall(registry.isApprovedForAll, (_account(owner), _account(operator))));
    }

    function testFuzz_supportsInterface(bytes4 any, uint256 seed) external {
        bytes4[6] memory ids = [
            bytes4(0x01ffc9a7),
            0x80ac58cd,
            0x5b5e139f,
            0x49064906,
            0x780e9d63,
            0xffffffff
        ];
        _read(abi.encodeCall(registry.supportsInterface, (seed % 2 == 0 ? any : ids[(seed >> 1) % 6])));
    }

    function testFuzz_tokenURI(uint256[6] calldata seeds, uint256 tokenId) external {
        _live(seeds);
        _read(abi.encodeCall(registry.tokenURI, (_id(tokenId))));
    }

    function testFuzz_tokenByIndex(uint256[6] calldata seeds, uint256 index) external {
        _live(seeds);
        uint256 asked = index % 16 == 7 ? type(uint256).max : _id(index);
        _read(abi.encodeCall(registry.tokenByIndex, (asked)));
    }

    function testFuzz_totalSupply(uint256[6] calldata seeds) external {
        _live(seeds);
        _read(abi.encodeCall(registry.totalSupply, ()));
    }

    function testFuzz_name(uint256[6] calldata seeds) external {
        _live(seeds);
        _read(abi.encodeCall(registry.name, ()));
    }

    function testFuzz_symbol(uint256[6] calldata seeds) external {
        _live(seeds);
        _read(abi.encodeCall(registry.symbol, ()));
    }

    /// @dev Lets the holder of most tokens approve some callers, for one token or for all.
    function _mayApprove(uint256 caller, uint256 tokenId) private {
        address account = _account(caller);
        if ((caller >> 8) % 4 == 0) {
            _call(_account(0), abi.encodeCall(registry.approve, (account, _id(tokenId))));
        }
        if ((caller >> 8) % 4 == 1 && account != address(0)) {
            _call(_account(0), abi.encodeCall(registry.setApprovalForAll, (account, true)));
        }
    }

    /// @dev Returns the holder of the token for most seeds, else any account.
    function _from(uint256 seed, uint256 tokenId) private view returns (address) {
        uint256 id = _id(tokenId);
        bool exists = id > 0 && id <= registry.totalSupply();
        return seed % 4 == 0 || !exists ? _account(seed >> 2) : registry.ownerOf(id);
    }

    function _readHolders(uint256 tokenId) private {
        _read(abi.encodeCall(registry.ownerOf, (_id(tokenId))));
        _read(abi.encodeCall(registry.getApproved, (_id(tokenId))));
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            _read(abi.encodeCall(registry.balanceOf, (_account(i))));
            _read(abi.encodeCall(registry.getAppsByOwner, (_account(i), 0, 100)));
        }
    }

    /// @dev Returns an existing token for most seeds, else any number.
    function _id(uint256 seed) private pure returns (uint256) {
        return seed % 8 < 7 ? (seed >> 3) % 7 : seed >> 3;
    }
}
