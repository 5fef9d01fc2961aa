// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title Contract account that signs by ERC-1271
/// @notice Accepts the ECDSA signatures of its signer. The signer can appoint another signer.
contract SignatureWallet is IERC1271 {
    /// @notice Account whose signatures the wallet accepts.
    address public signer;

    /// @notice The caller is not the signer.
    error OnlySigner(address caller);

    constructor(address signer_) {
        signer = signer_;
    }

    /// @notice Replaces the signer. Signatures of the previous signer are invalid immediately.
    function setSigner(address newSigner) external {
        if (msg.sender != signer) revert OnlySigner(msg.sender);
        signer = newSigner;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && recovered == signer;
        return valid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
