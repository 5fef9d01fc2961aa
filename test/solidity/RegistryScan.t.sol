// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IdBitmap} from "../../contracts/libraries/IdBitmap.sol";
import {IdScan, Scan} from "../../contracts/libraries/IdScan.sol";

/// @dev Compares the scan, which reads word by word, with a loop over all ids.
contract RegistryScanTest {
    using IdBitmap for mapping(uint256 => uint256);

    uint256 private constant _BUDGET_IDS = IdScan.WORD_BUDGET * 256;

    mapping(uint256 word => uint256) private _ids;
    mapping(uint256 tokenId => bool) private _isMember;

    function testFuzz_pageAsAWalk(
        uint16[32] calldata members,
        uint16 cursor,
        uint16 last,
        uint8 limit
    ) external {
        (uint256 from, uint256 to, uint256 most) = (cursor % 1500, last % 1500, 1 + (limit % 40));
        for (uint256 i = 0; i < members.length; ++i) _toggle(1 + (members[i] % 1500), to);
        (uint256[] memory ids, uint256 nextCursor) = _page(from, to, most);

        uint256 found = 0;
        uint256 examined = from;
        while (examined < to && found < most) {
            ++examined;
            if (!_isMember[examined]) continue;
            require(ids[found] == examined, "id");
            ++found;
        }
        require(ids.length == found, "length");
        require(nextCursor == (examined < to ? examined : 0), "nextCursor");
    }

    function testFuzz_toggleTwiceIsNothing(uint32 tokenId) external {
        _ids.toggle(tokenId);
        require(_ids[tokenId >> 8] == 1 << (tokenId % 256), "in");
        _ids.toggle(tokenId);
        require(_ids[tokenId >> 8] == 0, "out");
    }

    /// @dev If a member lies beyond the words of one call, a later call finds it. Pages in between are empty but have a next
    /// cursor.
    function test_budgetEndsAPageEarly() external {
        uint256 last = 3 * _BUDGET_IDS;
        uint256 farMember = 2 * _BUDGET_IDS + 7;
        _toggle(5, last);
        _toggle(farMember, last);

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
    ) private view returns (uint256[] memory, uint256) {
        Scan memory scan = IdScan.start(cursor, last, limit, IdBitmap.IDS_PER_WORD);
        while (scan.hasNext()) scan.addMatches(_ids[scan.word]);
        return (_found(scan), scan.nextCursor());
    }

    function _found(Scan memory scan) private pure returns (uint256[] memory ids) {
        ids = new uint256[](scan.found);
        for (uint256 i = 0; i < ids.length; ++i) ids[i] = scan.ids[i];
    }

    /// @dev An index has no ids above the last one.
    function _toggle(uint256 tokenId, uint256 last) private {
        if (tokenId > last) return;
        _ids.toggle(tokenId);
        _isMember[tokenId] = !_isMember[tokenId];
    }
}
