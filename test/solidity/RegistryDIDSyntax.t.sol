// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibString} from "solady/src/utils/LibString.sol";

import {DIDSyntax} from "../../contracts/libraries/DIDSyntax.sol";

/// @dev Compares the one-pass reader with a slow one that splits the text and checks each part.
contract RegistryDIDSyntaxTest {
    using LibString for string;

    string private constant _DIGITS = "0123456789";
    string private constant _HEX = "0123456789abcdef";
    string private constant _LABEL = "abcdefghijklmnopqrstuvwxyz0123456789-";
    string private constant _SEGMENT = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";

    /// @dev Valid and invalid parts of DIDs. Texts composed of them are often nearly canonical.
    string[] private _parts = [
        "did:web:",
        "did:pkh:eip155:",
        ":0x",
        "d8da6bf26964af9d7eed9e03e53415d37aa96045",
        "example",
        ".com",
        "A",
        "b-",
        "-",
        ".",
        ":",
        "0",
        "1",
        "443",
        "65535",
        "%3A",
        "%3a",
        "%2F",
        "%41",
        "%7E",
        "%5C",
        "%7F",
        "%1F",
        "%20",
        ".well-known",
        "%C3",
        "%",
        "0x",
        "f",
        "_",
        "~",
        "/",
        "?",
        "#",
        "@",
        unicode"é",
        "9007199254740991"
    ];

    function testFuzz_webAsTheSlowReader(uint8[8] calldata parts) external view {
        _check(string.concat("did:web:", _text(parts)));
    }

    function testFuzz_webPathAsTheSlowReader(uint8[8] calldata parts) external view {
        _check(string.concat("did:web:a.b:", _text(parts)));
    }

    function testFuzz_webPortAsTheSlowReader(
        uint16 port,
        uint8 zeros,
        uint8[8] calldata parts
    ) external view {
        string memory text = string.concat(
            "did:web:a%3A",
            LibString.repeat("0", zeros % 2),
            LibString.toString(port)
        );
        _check(text);
        _check(string.concat(text, _text(parts)));
    }

    function testFuzz_pkhAsTheSlowReader(uint64 chainId, address account, uint8 cut) external pure {
        string memory text = string.concat(
            "did:pkh:eip155:",
            LibString.toString(chainId),
            ":",
            LibString.toHexString(account)
        );
        _check(text);
        _check(text.slice(0, cut));
    }

    function testFuzz_oneByteAsTheSlowReader(uint8 position, bytes1 replacement) external pure {
        bytes memory web = "did:web:www.example-1.com%3A8443:Team:a.b_c:%7Eme";
        bytes memory pkh = "did:pkh:eip155:66238:0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
        web[position % web.length] = replacement;
        pkh[position % pkh.length] = replacement;
        _check(string(web));
        _check(string(pkh));
    }

    function testFuzz_partsAsTheSlowReader(uint8[8] calldata parts) external view {
        _check(_text(parts));
    }

    function test_canonicalDIDsAndTheirLimits() external pure {
        string memory start = "did:web:a:";
        require(DIDSyntax.isCanonical(string.concat(start, LibString.repeat("a", 245))), "255 bytes");
        require(!DIDSyntax.isCanonical(string.concat(start, LibString.repeat("a", 246))), "256 bytes");
        string memory label = LibString.repeat("a", 63);
        require(DIDSyntax.isCanonical(string.concat("did:web:", label, ".com")), "a label of 63");
        require(!DIDSyntax.isCanonical(string.concat("did:web:a", label, ".com")), "a label of 64");
    }

    function test_hostShorterThanTheMarkOfAPort() external pure {
        _check("did:web:w:w.example-1.com%3A8443:Team:a.b_c:%7Eme");
    }

    function _check(string memory text) private pure {
        require(DIDSyntax.isCanonical(text) == _isCanonical(text), text);
    }

    function _text(uint8[8] calldata parts) private view returns (string memory text) {
        for (uint256 i = 0; i < parts.length; ++i)
            text = string.concat(text, _parts[parts[i] % _parts.length]);
    }

    function _isCanonical(string memory text) private pure returns (bool) {
        string[] memory parts = _split(text, ":");
        if (bytes(text).length > 255 || parts.length < 3 || !parts[0].eq("did")) return false;
        if (parts[1].eq("pkh")) {
            return
                parts.length == 5 &&
                parts[2].eq("eip155") &&
                _isNumber(parts[3], 2 ** 53 - 1) &&
                bytes(parts[4]).length == 42 &&
                parts[4].startsWith("0x") &&
                _hasOnly(parts[4].slice(2), _HEX);
        }
        if (!parts[1].eq("web")) return false;
        string[] memory authority = _split(parts[2], "%3A");
        if (authority.length > 2 || !_isHost(authority[0])) return false;
        if (authority.length == 2 && (!_isNumber(authority[1], 65535) || authority[1].eq("443")))
            return false;
        if (parts.length > 3 && parts[3].eq(".well-known")) return false;
        for (uint256 i = 3; i < parts.length; ++i) {
            if (!_isSegment(parts[i])) return false;
        }
        return true;
    }

    /// @dev `LibString.split` writes over other memory if the text is shorter than the delimiter.
    function _split(
        string memory text,
        string memory delimiter
    ) private pure returns (string[] memory parts) {
        if (bytes(text).length >= bytes(delimiter).length) return text.split(delimiter);
        parts = new string[](1);
        parts[0] = text;
    }

    function _isHost(string memory host) private pure returns (bool) {
        string[] memory labels = _split(host, ".");
        for (uint256 i = 0; i < labels.length; ++i) {
            uint256 length = bytes(labels[i]).length;
            if (length == 0 || length > 63 || !_hasOnly(labels[i], _LABEL)) return false;
            if (labels[i].startsWith("-") || labels[i].endsWith("-")) return false;
        }
        string memory last = labels[labels.length - 1];
        bool isHexNumber = last.startsWith("0x") && _hasOnly(last.slice(2), _HEX);
        return !_hasOnly(last, _DIGITS) && !isHexNumber;
    }

    function _isSegment(string memory segment) private pure returns (bool) {
        if (segment.eq("") || segment.eq(".") || segment.eq("..")) return false;
        string[] memory pieces = _split(segment, "%");
        if (!_hasOnly(pieces[0], _SEGMENT)) return false;
        for (uint256 i = 1; i < pieces.length; ++i) {
            if (bytes(pieces[i]).length < 2 || !_hasOnly(pieces[i], _SEGMENT)) return false;
            string memory digits = pieces[i].slice(0, 2);
            if (!digits.eq(digits.upper()) || !_hasOnly(digits.lower(), _HEX)) return false;
            string memory character = string(abi.encodePacked(bytes1(uint8(_fromHex(digits)))));
            if (character.eq("/") || character.eq("\\") || _hasOnly(character, _SEGMENT)) return false;
            if (character.eq("\x7f") || digits.startsWith("0") || digits.startsWith("1")) return false;
        }
        return true;
    }

    function _isNumber(string memory text, uint256 max) private pure returns (bool) {
        uint256 value = 0;
        if (bytes(text).length > 20 || text.startsWith("0") || !_hasOnly(text, _DIGITS)) return false;
        for (uint256 i = 0; i < bytes(text).length; ++i) value = value * 10 + uint8(bytes(text)[i]) - 48;
        return value != 0 && value <= max;
    }

    function _fromHex(string memory digits) private pure returns (uint256) {
        return _HEX.indexOf(digits.lower().slice(0, 1)) * 16 + _HEX.indexOf(digits.lower().slice(1, 2));
    }

    function _hasOnly(string memory text, string memory characters) private pure returns (bool) {
        for (uint256 i = 0; i < bytes(text).length; ++i) {
            if (!characters.contains(text.slice(i, i + 1))) return false;
        }
        return true;
    }
}
