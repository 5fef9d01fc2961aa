// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Canonical DID syntax
/// @notice Tells whether a text is the one canonical spelling of a supported DID, so that no service can be
/// registered twice in two spellings. Nothing is normalised here: that is the caller's work.
/// @dev Follows the did:web and did:pkh method specifications, DID Core and CAIP-10. ASCII only.
library DIDSyntax {
    /// @notice Longest DID, in bytes.
    uint256 internal constant MAX_LENGTH = 255;

    /// @dev RFC 1035.
    uint256 private constant _MAX_LABEL_LENGTH = 63;
    uint256 private constant _MAX_PORT = 65_535;
    uint256 private constant _DEFAULT_PORT = 443;
    /// @dev The highest integer that JSON and JavaScript keep exactly.
    uint256 private constant _MAX_CHAIN_ID = 2 ** 53 - 1;

    // A set of characters is a word with bit c set for each character c of the set.
    uint256 private constant _DIGITS = ((1 << 10) - 1) << 0x30; // 0-9
    uint256 private constant _LOWER = ((1 << 26) - 1) << 0x61; // a-z
    uint256 private constant _UPPER = ((1 << 26) - 1) << 0x41; // A-Z
    uint256 private constant _LOWER_HEX = _DIGITS | (((1 << 6) - 1) << 0x61); // 0-9 a-f
    uint256 private constant _UPPER_HEX = _DIGITS | (((1 << 6) - 1) << 0x41); // 0-9 A-F
    uint256 private constant _HOST = _DIGITS | _LOWER | (1 << 0x2d); // 0-9 a-z -
    uint256 private constant _PATH = _HOST | _UPPER | (1 << 0x2e) | (1 << 0x5f); // 0-9 a-z A-Z - . _

    /// @notice Whether `did` is canonical, of a supported method, and at most 255 bytes long.
    function isCanonical(string calldata did) internal pure returns (bool) {
        bytes calldata text = bytes(did);
        if (text.length > MAX_LENGTH) return false;
        if (_startsWith(text, "did:web:")) return _isWeb(text[8:]);
        if (_startsWith(text, "did:pkh:eip155:")) return _isPkhAccount(text[15:]);
        return false;
    }

    /// @dev <host>[%3A<port>][:<segment>]*
    function _isWeb(bytes calldata text) private pure returns (bool) {
        unchecked {
            uint256 end = _hostLength(text);
            if (end == 0) return false;
            text = text[end:];
            if (_startsWith(text, "%3A")) {
                text = text[3:];
                (uint256 port, uint256 digits) = _number(text);
                if (port == 0 || port > _MAX_PORT || port == _DEFAULT_PORT) return false;
                text = text[digits:];
            }
            while (text.length > 0) {
                if (text[0] != ":") return false;
                text = text[1:];
                uint256 length = _segmentLength(text);
                if (length == 0) return false;
                text = text[length:];
            }
            return true;
        }
    }

    /// @dev <chain id>:0x<40 lower-case hexadecimal digits>
    function _isPkhAccount(bytes calldata text) private pure returns (bool) {
        unchecked {
            (uint256 chainId, uint256 digits) = _number(text);
            if (chainId == 0 || chainId > _MAX_CHAIN_ID) return false;
            text = text[digits:];
            if (text.length != 43 || !_startsWith(text, ":0x")) return false;
            for (uint256 i = 3; i < 43; ++i) {
                if (!_in(_LOWER_HEX, text[i])) return false;
            }
            return true;
        }
    }

    /// @dev Length of the host name that `text` starts with, 0 when it starts with none. A host ends at a port, at
    /// a path or with the text; its labels are letters, digits and inner hyphens.
    function _hostLength(bytes calldata text) private pure returns (uint256) {
        unchecked {
            uint256 start; // of the current label
            for (uint256 i; ; ++i) {
                bytes1 c = i < text.length ? text[i] : bytes1(":");
                if (_in(_HOST, c)) continue;
                if (!_isLabel(text[start:i])) return 0;
                if (c == ".") {
                    start = i + 1;
                    continue;
                }
                if (c != ":" && c != "%") return 0;
                return _isNumericLabel(text[start:i]) ? 0 : i;
            }
            return 0;
        }
    }

    function _isLabel(bytes calldata label) private pure returns (bool) {
        unchecked {
            if (label.length == 0 || label.length > _MAX_LABEL_LENGTH) return false;
            return label[0] != "-" && label[label.length - 1] != "-";
        }
    }

    /// @dev The URL standard reads a host whose last label is `123`, `0x` or `0x7f` as an IPv4 address.
    function _isNumericLabel(bytes calldata label) private pure returns (bool) {
        unchecked {
            bool isHex = _startsWith(label, "0x");
            uint256 digits = isHex ? _LOWER_HEX : _DIGITS;
            for (uint256 i = isHex ? 2 : 0; i < label.length; ++i) {
                if (!_in(digits, label[i])) return false;
            }
            return true;
        }
    }

    /// @dev Length of the path segment that `text` starts with, 0 when it starts with none. A segment ends at the
    /// next colon or with the text; it is neither `.` nor `..`.
    function _segmentLength(bytes calldata text) private pure returns (uint256 length) {
        unchecked {
            while (length < text.length && text[length] != ":") {
                if (_in(_PATH, text[length])) {
                    ++length;
                } else {
                    if (!_isTriplet(text[length:])) return 0;
                    length += 3;
                }
            }
            if (length == 1 && text[0] == ".") return 0;
            if (length == 2 && text[0] == "." && text[1] == ".") return 0;
        }
    }

    /// @dev A percent triplet in upper-case hexadecimal, of a character that may not stand there as it is, and
    /// never of a slash.
    function _isTriplet(bytes calldata text) private pure returns (bool) {
        unchecked {
            if (text.length < 3 || text[0] != "%") return false;
            if (!_in(_UPPER_HEX, text[1]) || !_in(_UPPER_HEX, text[2])) return false;
            bytes1 c = bytes1((_nibble(text[1]) << 4) | _nibble(text[2]));
            return c != "/" && !_in(_PATH, c);
        }
    }

    /// @dev The decimal number that `text` starts with, and its digits; 0 when it has none, a leading zero, or
    /// more than 16 digits.
    function _number(bytes calldata text) private pure returns (uint256 value, uint256 digits) {
        unchecked {
            while (digits < text.length && _in(_DIGITS, text[digits])) {
                if (value == 0 && digits > 0) return (0, 0);
                if (digits == 16) return (0, 0);
                value = value * 10 + _nibble(text[digits]);
                ++digits;
            }
        }
    }

    /// @dev Value of a decimal or upper-case hexadecimal digit.
    function _nibble(bytes1 c) private pure returns (uint8) {
        unchecked {
            return c < "A" ? uint8(c) - 0x30 : uint8(c) - 0x37;
        }
    }

    function _in(uint256 set, bytes1 c) private pure returns (bool) {
        return (set >> uint8(c)) & 1 == 1;
    }

    function _startsWith(bytes calldata text, bytes memory prefix) private pure returns (bool) {
        return text.length >= prefix.length && keccak256(text[:prefix.length]) == keccak256(prefix);
    }
}
