// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ControllersTwin} from "./ControllersTwin.sol";

/// @dev A resolver as one would write it without a thought for gas: what ResolverWithStore must do.
contract ResolverTwin is ControllersTwin {
    string private constant _COMMON =
        "address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)";

    /// @dev Half of the order of secp256k1: the other half of the values of s would be second signatures.
    uint256 private constant _HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @dev The resolver whose signatures the twin takes.
    address private immutable _subjectOfDomain;

    mapping(address issuer => mapping(uint256 nonce => bool)) public isNonceUsed;

    constructor(address resolver, address owner_, uint64 maturation_) {
        (_subjectOfDomain, owner, maturation) = (resolver, owner_, maturation_);
    }

    function attestDID(bytes32 didHash, address controller, uint64 expiresAt) external {
        _attestDID(msg.sender, didHash, controller, expiresAt);
    }

    function revokeDID(bytes32 didHash, address controller) external {
        _revokeDID(msg.sender, didHash, controller);
    }

    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external {
        _attestDataHash(msg.sender, didHash, dataHash, expiresAt);
    }

    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external {
        _revokeDataHash(msg.sender, didHash, dataHash);
    }

    function attestDIDBatch(DIDAttestation[] calldata items) external {
        if (_epochOf[msg.sender] == 0) revert NotIssuer(msg.sender);
        for (uint256 i = 0; i < items.length; ++i) {
            _attestDID(msg.sender, items[i].didHash, items[i].controller, items[i].expiresAt);
        }
    }

    function revokeDIDBatch(DIDAttestation[] calldata items) external {
        if (_epochOf[msg.sender] == 0) revert NotIssuer(msg.sender);
        for (uint256 i = 0; i < items.length; ++i) {
            _revokeDID(msg.sender, items[i].didHash, items[i].controller);
        }
    }

    function attestDataHashBatch(DataHashAttestation[] calldata items) external {
        if (_epochOf[msg.sender] == 0) revert NotIssuer(msg.sender);
        for (uint256 i = 0; i < items.length; ++i) {
            _attestDataHash(msg.sender, items[i].didHash, items[i].dataHash, items[i].expiresAt);
        }
    }

    function revokeDataHashBatch(DataHashAttestation[] calldata items) external {
        if (_epochOf[msg.sender] == 0) revert NotIssuer(msg.sender);
        for (uint256 i = 0; i < items.length; ++i) {
            _revokeDataHash(msg.sender, items[i].didHash, items[i].dataHash);
        }
    }

    function attestDIDBySignature(DIDAttestation calldata item, IssuerSignature calldata signature) external {
        bytes32 typeHash = _typeHash("AttestDID(bytes32 didHash,address controller,uint64 expiresAt,");
        bytes memory statement = abi.encode(typeHash, item.didHash, item.controller, item.expiresAt);
        _use(signature, statement, _supersededAt(signature.issuer, item.didHash, item.controller));
        _attestDID(signature.issuer, item.didHash, item.controller, item.expiresAt);
    }

    function revokeDIDBySignature(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata signature
    ) external {
        bytes32 typeHash = _typeHash("RevokeDID(bytes32 didHash,address controller,");
        bytes memory statement = abi.encode(typeHash, didHash, controller);
        _use(signature, statement, _supersededAt(signature.issuer, didHash, controller));
        _revokeDID(signature.issuer, didHash, controller);
    }

    function attestDataHashBySignature(
        DataHashAttestation calldata item,
        IssuerSignature calldata signature
    ) external {
        bytes32 typeHash = _typeHash("AttestDataHash(bytes32 didHash,bytes32 dataHash,uint64 expiresAt,");
        bytes memory statement = abi.encode(typeHash, item.didHash, item.dataHash, item.expiresAt);
        _use(signature, statement, _dataHash(item.didHash, item.dataHash, signature.issuer).revokedAt);
        _attestDataHash(signature.issuer, item.didHash, item.dataHash, item.expiresAt);
    }

    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata signature
    ) external {
        bytes32 typeHash = _typeHash("RevokeDataHash(bytes32 didHash,bytes32 dataHash,");
        bytes memory statement = abi.encode(typeHash, didHash, dataHash);
        _use(signature, statement, _dataHash(didHash, dataHash, signature.issuer).revokedAt);
        _revokeDataHash(signature.issuer, didHash, dataHash);
    }

    function cancelNonce(uint256 nonce) external {
        if (isNonceUsed[msg.sender][nonce]) revert NonceUsed(msg.sender, nonce);
        isNonceUsed[msg.sender][nonce] = true;
        emit NonceCancelled(msg.sender, nonce);
    }

    /// @dev ERC-5267.
    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        return (0x0f, "App Registry Resolver", "1", block.chainid, _subjectOfDomain, 0, new uint256[](0));
    }

    /// @dev The digest (EIP-712) of a statement: its encoded type and members without the common ones.
    function digestOf(
        bytes memory statement,
        IssuerSignature calldata signature
    ) public view returns (bytes32) {
        bytes memory common = abi.encode(
            signature.issuer,
            signature.epoch,
            signature.issuedAt,
            signature.deadline,
            signature.nonce
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("App Registry Resolver"),
                keccak256("1"),
                block.chainid,
                _subjectOfDomain
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, keccak256(bytes.concat(statement, common))));
    }

    function _use(IssuerSignature calldata signature, bytes memory statement, uint256 supersededAt) private {
        (address issuer, uint64 issuedAt, uint64 deadline) = (
            signature.issuer,
            signature.issuedAt,
            signature.deadline
        );
        _refuseIfNotIssuer(issuer);
        _refuseIf(
            signature.epoch != _epochOf[issuer],
            abi.encodeWithSelector(IssuerEpochMismatch.selector, issuer, signature.epoch, _epochOf[issuer])
        );
        _refuseIf(
            issuedAt > block.timestamp,
            abi.encodeWithSelector(IssuedInFuture.selector, issuedAt, block.timestamp)
        );
        _refuseIf(
            deadline < issuedAt || deadline > uint256(issuedAt) + 1 days,
            abi.encodeWithSelector(InvalidDeadline.selector, issuedAt, deadline)
        );
        _refuseIf(
            block.timestamp > deadline,
            abi.encodeWithSelector(SignatureExpired.selector, deadline, block.timestamp)
        );
        _refuseIf(
            isNonceUsed[issuer][signature.nonce],
            abi.encodeWithSelector(NonceUsed.selector, issuer, signature.nonce)
        );
        _refuseIf(
            issuedAt <= supersededAt,
            abi.encodeWithSelector(SignatureSuperseded.selector, issuedAt, supersededAt)
        );
        _refuseIf(
            _signerOf(digestOf(statement, signature), signature.signature) != issuer,
            abi.encodeWithSelector(InvalidSignature.selector, issuer)
        );
        isNonceUsed[issuer][signature.nonce] = true;
    }

    /// @dev Whose ECDSA signature of 65 bytes with a low s this is; zero for anything else.
    function _signerOf(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        (bytes32 r, bytes32 s) = (bytes32(signature[:32]), bytes32(signature[32:64]));
        return uint256(s) > _HALF_ORDER ? address(0) : ecrecover(digest, uint8(signature[64]), r, s);
    }

    function _typeHash(string memory start) private pure returns (bytes32) {
        return keccak256(bytes.concat(bytes(start), bytes(_COMMON)));
    }
}
