// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibString} from "solady/src/utils/LibString.sol";

import {IAppMetadata} from "../../../contracts/interfaces/IAppMetadata.sol";
import {StoreInput, toParameters} from "../support/Structs.sol";
import {RegistryFuzz} from "./RegistryFuzz.sol";

/// @dev Compares each function of the metadata store with the plain twin.
contract MetadataStoreTest is RegistryFuzz {
    function testFuzz_setMetadata(
        uint256[6] calldata seeds,
        uint256 caller,
        StoreInput memory input,
        uint256 seed
    ) external {
        _live(seeds);
        if (seed % 8 < 6) {
            (input.did, input.didHash) = (_did(seed), keccak256(bytes(_did(seed))));
            (input.major, input.minor) = (input.major % 4, input.minor % 4);
        }
        if (seed % 16 == 7) input.json = LibString.repeat("j", 24_574 + ((seed >> 4) % 3));
        // The registry checks the algorithm before it calls the store, so the store doesn't.
        input.dataHashAlgorithm %= 2;
        address sender = caller % 4 == 0 ? _account(caller >> 2) : address(registry);
        (bool ok, bytes memory answer) = _callStore(sender, _encode(input));
        if (ok) _requireCode(abi.decode(answer, (address)), input.json);
        _callStore(address(this), abi.encodeCall(IAppMetadata.getMetadata, (input.did)));
    }

    function testFuzz_getMetadata(uint256[6] calldata seeds, uint256 did, string calldata any) external {
        _live(seeds);
        string memory asked = did >> 253 == 0 ? any : _did(did);
        _callStore(address(this), abi.encodeCall(IAppMetadata.getMetadata, (asked)));
    }

    function testFuzz_getMetadataJson(uint256[6] calldata seeds, uint256 did, string calldata any) external {
        _live(seeds);
        string memory asked = did >> 253 == 0 ? any : _did(did);
        _callStore(address(this), abi.encodeCall(IAppMetadata.getMetadataJson, (asked)));
    }

    function testFuzz_registry(uint256[6] calldata seeds) external {
        _live(seeds);
        _callStore(address(this), abi.encodeCall(IAppMetadata.registry, ()));
    }

    function testFuzz_MAX_METADATA_SIZE(uint256[6] calldata seeds) external {
        _live(seeds);
        _callStore(address(this), abi.encodeCall(IAppMetadata.MAX_METADATA_SIZE, ()));
    }

    function _callStore(address caller, bytes memory data) private returns (bool ok, bytes memory answer) {
        return _both(caller, address(registry.metadata()), address(twin), data);
    }

    function _encode(StoreInput memory input) private pure returns (bytes memory) {
        return bytes.concat(IAppMetadata.setMetadata.selector, toParameters(abi.encode(input)));
    }

    function _requireCode(address pointer, string memory json) private view {
        require(keccak256(pointer.code) == keccak256(bytes.concat(hex"00", bytes(json))), "code");
    }
}
