// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";

import {IResolver} from "../interfaces/IResolver.sol";

/// @title Single use of issuers' signatures
/// @notice Checks window, nonce and signature of a statement. Whether the issuer is authorised is the heir's matter.
abstract contract IssuerSignatures is IResolver, EIP712 {
    using BitMaps for BitMaps.BitMap;

    uint64 private constant _MAX_WINDOW = 1 days;

    mapping(address issuer => BitMaps.BitMap) private _nonces;

    /// @inheritdoc IResolver
    function cancelNonce(uint256 nonce) external {
        _useNonce(msg.sender, nonce);
        emit NonceCancelled(msg.sender, nonce);
    }

    /// @inheritdoc IResolver
    function isNonceUsed(address issuer, uint256 nonce) external view returns (bool) {
        return _nonces[issuer].get(nonce);
    }

    /// @dev Reverts unless `signature` is its issuer's own, usable now, unused, and newer than `supersededAt`.
    function _useSignature(
        IssuerSignature calldata signature,
        bytes32 structHash,
        uint256 supersededAt
    ) internal {
        (uint64 issuedAt, uint64 deadline) = (signature.issuedAt, signature.deadline);
        uint64 timestamp = uint64(block.timestamp);
        if (issuedAt > timestamp) revert IssuedInFuture(issuedAt, timestamp);
        unchecked {
            if (deadline < issuedAt || deadline - issuedAt > _MAX_WINDOW) {
                revert InvalidDeadline(issuedAt, deadline);
            }
        }
        if (timestamp > deadline) revert SignatureExpired(deadline, timestamp);
        _useNonce(signature.issuer, signature.nonce);
        if (issuedAt <= supersededAt) revert SignatureSuperseded(issuedAt, uint64(supersededAt));
        if (!_isSignedBy(signature.issuer, _hashTypedData(structHash), signature.signature)) {
            revert InvalidSignature(signature.issuer);
        }
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("App Registry Resolver", "1");
    }

    function _useNonce(address issuer, uint256 nonce) private {
        BitMaps.BitMap storage nonces = _nonces[issuer];
        if (nonces.get(nonce)) revert NonceUsed(issuer, nonce);
        nonces.set(nonce);
    }

    /// @dev ECDSA first: the common case then does not touch the issuer's account, and an EOA that delegates to code
    /// (EIP-7702) keeps its key's word.
    function _isSignedBy(
        address issuer,
        bytes32 digest,
        bytes calldata signature
    ) private view returns (bool) {
        // Zero when the signature is malformed or malleable.
        (address signer, , ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (signer != address(0) && signer == issuer) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(issuer, digest, signature);
    }
}
