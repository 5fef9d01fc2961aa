// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Canonical DID syntax
/// @notice Checks that a text is the canonical spelling of a supported DID, so that no service can be registered in two
/// spellings. Callers must normalise DIDs themselves.
/// @dev Follows the did:web and did:pkh method specifications, DID Core and CAIP-10. ASCII only.
///
///     did:web:<host>[%3A<port>][:<segment>]*
///     did:pkh:eip155:<chain id>:0x<40 lower-case hexadecimal digits>
///
/// Each function below reads one part of the text from a position and returns the position after it, or `_NONE`.
library DIDSyntax {
    /// @notice Longest DID, in bytes.
    uint256 internal constant MAX_LENGTH = 255;

    /// @dev Position that stands for a syntax error. No part ends at position 0.
    uint256 private constant _NONE = 0;

    /// @dev Longest label of a host, in bytes (RFC 1035).
    uint256 private constant _MAX_LABEL_LENGTH = 63;
    uint256 private constant _MAX_PORT = 65_535;
    uint256 private constant _DEFAULT_PORT = 443;
    /// @dev Highest integer that JSON and JavaScript represent exactly.
    uint256 private constant _MAX_CHAIN_ID = 2 ** 53 - 1;
    uint256 private constant _MAX_NUMBER_LENGTH = 16;
    uint256 private constant _ADDRESS_DIGITS = 40;

    uint256 private constant _PERCENT = 0x25;
    uint256 private constant _HYPHEN = 0x2d;
    uint256 private constant _DOT = 0x2e;
    uint256 private constant _SLASH = 0x2f;
    uint256 private constant _BACKSLASH = 0x5c;
    uint256 private constant _SPACE = 0x20;
    uint256 private constant _DELETE = 0x7f;
    uint256 private constant _ZERO = 0x30;
    uint256 private constant _THREE = 0x33;
    uint256 private constant _COLON = 0x3a;
    uint256 private constant _A = 0x41;
    uint256 private constant _X = 0x78;

    bytes11 private constant _WELL_KNOWN = ".well-known";

    // A set of characters is a word with bit c set for each character c. No set contains character 0, which `_charAt`
    // returns after the end of the text.
    uint256 private constant _DIGITS = ((1 << 10) - 1) << _ZERO; // 0-9
    uint256 private constant _LOWER = ((1 << 26) - 1) << 0x61; // a-z
    uint256 private constant _UPPER = ((1 << 26) - 1) << _A; // A-Z
    uint256 private constant _LOWER_HEX = _DIGITS | (((1 << 6) - 1) << 0x61); // 0-9 a-f
    uint256 private constant _UPPER_HEX = _DIGITS | (((1 << 6) - 1) << _A); // 0-9 A-F
    uint256 private constant _LABEL = _DIGITS | _LOWER | (1 << _HYPHEN); // 0-9 a-z -
    uint256 private constant _SEGMENT = _LABEL | _UPPER | (1 << _DOT) | (1 << 0x5f); // 0-9 a-z A-Z - . _

    /// @notice Returns true if `did` is canonical, of a supported method, and at most 255 bytes long.
    function isCanonical(string memory did) internal pure returns (bool) {
        bytes memory text = bytes(did);
        uint256 end;
        if (bytes8(text) == "did:web:") end = _web(text, 8);
        else if (bytes15(text) == "did:pkh:eip155:") end = _pkhAccount(text, 15);
        return end != _NONE && end == text.length && end <= MAX_LENGTH;
    }

    function _web(bytes memory text, uint256 start) private pure returns (uint256 end) {
        unchecked {
            end = _host(text, start);
            if (end == _NONE) return _NONE;
            if (_charAt(text, end) == _PERCENT) {
                end = _port(text, end);
                if (end == _NONE) return _NONE;
            }
            if (_charAt(text, end) == _COLON && _isWellKnown(text, end + 1)) return _NONE;
            while (_charAt(text, end) == _COLON) {
                end = _segment(text, end + 1);
                if (end == _NONE) return _NONE;
            }
        }
    }

    function _pkhAccount(bytes memory text, uint256 start) private pure returns (uint256) {
        unchecked {
            (uint256 chainId, uint256 end) = _number(text, start);
            if (chainId == 0 || chainId > _MAX_CHAIN_ID) return _NONE;
            if (
                _charAt(text, end) != _COLON ||
                _charAt(text, end + 1) != _ZERO ||
                _charAt(text, end + 2) != _X
            ) return _NONE;
            end += 3;
            uint256 digitsEnd = _skipWhile(text, end, _LOWER_HEX);
            return digitsEnd == end + _ADDRESS_DIGITS ? digitsEnd : _NONE;
        }
    }

    /// @dev Reads labels separated by dots. The last label must not be a number.
    function _host(bytes memory text, uint256 start) private pure returns (uint256 end) {
        unchecked {
            while (true) {
                end = _skipWhile(text, start, _LABEL);
                if (end == start || end - start > _MAX_LABEL_LENGTH) return _NONE;
                if (_charAt(text, start) == _HYPHEN || _charAt(text, end - 1) == _HYPHEN) return _NONE;
                if (_charAt(text, end) != _DOT) return _isNumeric(text, start, end) ? _NONE : end;
                start = end + 1;
            }
        }
    }

    /// @dev Returns true if a label is a number. The URL standard reads a host whose last label is `123`, `0x` or
    /// `0x7f` as an IPv4 address.
    function _isNumeric(bytes memory text, uint256 start, uint256 end) private pure returns (bool) {
        unchecked {
            bool isHex = _charAt(text, start) == _ZERO && _charAt(text, start + 1) == _X;
            return
                (isHex ? _skipWhile(text, start + 2, _LOWER_HEX) : _skipWhile(text, start, _DIGITS)) == end;
        }
    }

    /// @dev Reads `%3A` and a port, which must not be the default port.
    function _port(bytes memory text, uint256 start) private pure returns (uint256) {
        unchecked {
            if (_charAt(text, start + 1) != _THREE || _charAt(text, start + 2) != _A) return _NONE;
            (uint256 port, uint256 end) = _number(text, start + 3);
            return port == 0 || port > _MAX_PORT || port == _DEFAULT_PORT ? _NONE : end;
        }
    }

    /// @dev Reads a path segment: at least one character or percent triplet, and neither `.` nor `..`.
    function _segment(bytes memory text, uint256 start) private pure returns (uint256 end) {
        unchecked {
            end = _skipWhile(text, start, _SEGMENT);
            if (_charAt(text, start) == _DOT) {
                if (end == start + 1 || (end == start + 2 && _charAt(text, start + 1) == _DOT)) {
                    if (_charAt(text, end) != _PERCENT) return _NONE;
                }
            }
            while (_charAt(text, end) == _PERCENT) {
                if (!_isTriplet(text, end)) return _NONE;
                end = _skipWhile(text, end + 3, _SEGMENT);
            }
            if (end == start) return _NONE;
        }
    }

    /// @dev Returns true if the segment is `.well-known`, which would share its DID document with the bare host.
    function _isWellKnown(bytes memory text, uint256 start) private pure returns (bool) {
        unchecked {
            if (_skipWhile(text, start, _SEGMENT) - start != _WELL_KNOWN.length) return false;
            for (uint256 i = 0; i < _WELL_KNOWN.length; ++i) {
                if (_charAt(text, start + i) != uint8(_WELL_KNOWN[i])) return false;
            }
            return _charAt(text, start + _WELL_KNOWN.length) != _PERCENT;
        }
    }

    /// @dev Returns true if the text has a percent triplet at a position: in upper-case hexadecimal, and of a character
    /// that must be encoded. A slash, a backslash and control characters can't be in a segment at all.
    function _isTriplet(bytes memory text, uint256 start) private pure returns (bool) {
        unchecked {
            (uint256 high, uint256 low) = (_charAt(text, start + 1), _charAt(text, start + 2));
            if (!_contains(_UPPER_HEX, high) || !_contains(_UPPER_HEX, low)) return false;
            uint256 c = (_digit(high) << 4) | _digit(low);
            if (c < _SPACE || c == _SLASH || c == _BACKSLASH || c == _DELETE) return false;
            return !_contains(_SEGMENT, c);
        }
    }

    /// @dev Reads a decimal number of at most 16 digits without a leading zero. Returns 0 as `value` for any other
    /// text.
    function _number(bytes memory text, uint256 start) private pure returns (uint256 value, uint256 end) {
        unchecked {
            end = _skipWhile(text, start, _DIGITS);
            if (end - start > _MAX_NUMBER_LENGTH || _charAt(text, start) == _ZERO) return (0, end);
            for (uint256 i = start; i < end; ++i) {
                value = value * 10 + _digit(_charAt(text, i));
            }
        }
    }

    /// @dev Reads the longest sequence, possibly empty, of characters of a set.
    function _skipWhile(bytes memory text, uint256 start, uint256 set) private pure returns (uint256 end) {
        unchecked {
            end = start;
            while (_contains(set, _charAt(text, end))) ++end;
        }
    }

    /// @dev Returns the value of a decimal or upper-case hexadecimal digit.
    function _digit(uint256 c) private pure returns (uint256) {
        unchecked {
            return c < _A ? c - _ZERO : c - _A + 10;
        }
    }

    function _contains(uint256 set, uint256 c) private pure returns (bool) {
        return (set >> c) & 1 == 1;
    }

    /// @dev Returns the character at a position, or 0 after the end. Skipping Solidity's bounds check saves 1,000 gas
    /// per mint, because every character is read several times.
    function _charAt(bytes memory text, uint256 position) private pure returns (uint256 c) {
        assembly ("memory-safe") {
            if lt(position, mload(text)) {
                c := byte(0, mload(add(add(text, 0x20), position)))
            }
        }
    }
}
