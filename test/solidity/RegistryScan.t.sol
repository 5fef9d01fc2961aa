// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IdBitmap} from "../../contracts/libraries/IdBitmap.sol";
import {IdScan, Scan} from "../../contracts/libraries/IdScan.sol";

/// @dev Reads an index with more ids than one call may examine, which would be too many records to publish.
contract RegistryScanTest {
    using IdBitmap for mapping(uint256 => uint256);

    uint256 private constant _BUDGET_IDS = IdScan.WORD_BUDGET * 256;

    mapping(uint256 word => uint256) private _ids;

    /// @dev If a member lies beyond the words of one call, a later call finds it. Pages in between are empty but have a next
    /// cursor.
    function test_budgetEndsAPageEarly() external {
        uint256 last = 3 * _BUDGET_IDS;
        uint256 farMember = 2 * _BUDGET_IDS + 7;
        _ids.toggle(5);
        _ids.toggle(farMember);

        (uint256[] memory ids, uint256 cursor) = _page(0, last, 10);
        require(ids.length == 1 && ids[0] == 5, "first page");
        require(cursor == _BUDGET_IDS - 1, "first cursor");
        (ids, cursor) = _page(cursor, last, 10);
        require(ids.length == 0 && cursor == 2 * _BUDGET_IDS - 1, "second page");
        (ids, cursor) = _page(cursor, last, 10);
        require(ids.length == 1 && ids[0] == farMember, "third page");
        require(cursor == 3 * _BUDGET_IDS - 1, "third cursor");
        (ids, cursor) = _page(cursor, last, 10);
        require(ids.length == 0 && cursor == 0, "last page");
    }

    function test_budgetBoundsTheGasOfACall() external view {
        uint256 before = gasleft();
        _page(0, type(uint32).max, 100);
        require(before - gasleft() < 12_000_000, "gas");
    }

    function _page(
        uint256 cursor,
        uint256 last,
        uint256 limit
    ) private view returns (uint256[] memory ids, uint256) {
        Scan memory scan = IdScan.start(cursor, last, limit, IdBitmap.IDS_PER_WORD);
        while (scan.hasNext()) scan.addMatches(_ids[scan.word]);
        ids = new uint256[](scan.found);
        for (uint256 i = 0; i < ids.length; ++i) ids[i] = scan.ids[i];
        return (ids, scan.nextCursor());
    }
}
