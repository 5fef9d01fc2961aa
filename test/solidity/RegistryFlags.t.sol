// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedRecordFlags} from "../../contracts/libraries/PackedRecordFlags.sol";

/// @dev Compares the packed flags with one struct for each record.
contract RegistryFlagsTest {
    using PackedRecordFlags for uint256;
    using PackedRecordFlags for mapping(uint256 => uint256);

    struct Write {
        uint8 tokenId;
        uint8 status;
        uint8 interfaces;
    }

    struct Plain {
        bool exists;
        uint8 status;
        uint8 interfaces;
    }

    mapping(uint256 word => uint256) private _packedFlags;
    mapping(uint256 tokenId => Plain) private _plain;

    function testFuzz_packedFlagsAsPlainRecords(Write[64] calldata writes, uint8 interfaces) external {
        interfaces = 1 + (interfaces % 7);
        for (uint256 i = 0; i < writes.length; ++i) {
            Plain memory plain = Plain(true, writes[i].status % 3, 1 + (writes[i].interfaces % 7));
            _packedFlags.set(writes[i].tokenId, plain.status, plain.interfaces);
            _plain[writes[i].tokenId] = plain;
        }
        for (uint256 tokenId = 0; tokenId < 256; ++tokenId) {
            Plain memory plain = _plain[tokenId];
            uint256 word = _packedFlags[tokenId / 64];
            uint256 bit = 1 << ((tokenId % 64) * 4);
            if (plain.exists) require(_packedFlags.status(tokenId) == plain.status, "status");
            for (uint8 status = 0; status < 3; ++status) {
                bool selected = word.withStatus(status) & bit != 0;
                require(selected == (plain.exists && plain.status == status), "withStatus");
            }
            bool active = plain.exists && plain.status == 0;
            uint8 common = plain.interfaces & interfaces;
            bool any = word.withInterfaces(interfaces, false) & bit != 0;
            bool all = word.withInterfaces(interfaces, true) & bit != 0;
            require(any == (active && common != 0), "any of the interfaces");
            require(all == (active && common == interfaces), "all interfaces");
        }
    }

    function testFuzz_selectionsHaveOnlyLowestBits(uint256 word, uint8 argument) external pure {
        uint256 others = ~(type(uint256).max / 15);
        uint8 interfaces = 1 + (argument % 7);
        require(word.withStatus(argument % 3) & others == 0, "status");
        require(word.withInterfaces(interfaces, false) & others == 0, "any");
        require(word.withInterfaces(interfaces, true) & others == 0, "all");
    }
}
