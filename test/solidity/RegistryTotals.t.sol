// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Totals} from "../../contracts/libraries/Totals.sol";

/// @dev Compares the packed counts with plain counters.
contract RegistryTotalsTest {
    function testFuzz_countsAsPlainCounters(uint8[128] calldata steps) external pure {
        Totals totals;
        uint256[3] memory records;
        uint256 supply;
        uint256 blobs;
        for (uint256 i = 0; i < steps.length; ++i) {
            uint8 step = steps[i] % 4;
            (uint8 from, uint8 to) = ((steps[i] >> 2) % 3, (steps[i] >> 5) % 3);
            if (step == 0) {
                totals = totals.withToken();
                (supply, records[0]) = (supply + 1, records[0] + 1);
            } else if (step == 1) {
                totals = totals.withBlob();
                ++blobs;
            } else if (records[from] != 0) {
                totals = totals.withMove(from, to);
                --records[from];
                ++records[to];
            }
            require(totals.supply() == supply && totals.blobs() == blobs, "supply and blobs");
            for (uint8 status = 0; status < 3; ++status) {
                require(totals.count(status) == records[status], "records");
            }
        }
    }
}
