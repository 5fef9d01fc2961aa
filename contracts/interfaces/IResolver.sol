// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Resolver of the App Registry
/// @notice Answers whether an account controls a DID and whether a dataHash is attested for a DID.
/// Attestations are written by authorised issuers, directly or by an EIP-712 signature that anybody may carry.
/// @dev `didHash` is keccak256 of the UTF-8 bytes of the canonical DID. Times are Unix seconds. An attestation
/// is live when it is not expired (`now < expiresAt`), revoked or ousted, and its issuer is authorised now under
/// the same authorisation as when it was written.
interface IResolver {
    /// @notice A statement that `controller` controls the DID.
    struct DIDAttestation {
        bytes32 didHash;
        address controller;
        /// @dev 0 for the maximum lifetime, else a time in the future and at most `maxTTL` away.
        uint64 expiresAt;
    }

    /// @notice A statement that `dataHash` is the hash of the DID's metadata.
    struct DataHashAttestation {
        bytes32 didHash;
        bytes32 dataHash;
        uint64 expiresAt;
    }

    /// @notice What an issuer signs beside the statement itself.
    struct IssuerSignature {
        address issuer;
        /// @dev The issuer's authorisation under which it was made, see `issuerEpoch`.
        uint32 epoch;
        /// @dev When it was signed; not in the future.
        uint64 issuedAt;
        /// @dev Last second at which it may be used, at most a day after `issuedAt`.
        uint64 deadline;
        /// @dev Unordered: each number is used or cancelled once per issuer.
        uint256 nonce;
        /// @dev 65 bytes of an EOA, or whatever the issuer's ERC-1271 contract takes.
        bytes signature;
    }

    /// @notice One recorded attestation as a reader sees it.
    struct AttestationView {
        address issuer;
        uint64 attestedAt;
        uint64 expiresAt;
        bool live;
    }

    /// @notice Why a controller counts, or does not.
    struct ControllerView {
        /// @dev What `checkDID` answers.
        bool counts;
        /// @dev A live attestation exists.
        bool attested;
        /// @dev It is the first controller ever recorded for the DID.
        bool first;
        /// @dev When the wait of a newcomer ends, given that it stays attested and is not rejected; 0 when it
        /// has no record, or is the first controller.
        uint64 countsFrom;
        /// @dev A rejection by a controller who counts stands against it.
        bool rejected;
        /// @dev The controller whose vouch holds now, or zero.
        address voucher;
    }

    /// @notice A challenge of an incumbent controller; all zero when there is none.
    struct ChallengeView {
        uint64 openedAt;
        /// @dev First second at which it can be resolved.
        uint64 resolvableFrom;
        /// @dev First second at which it is void.
        uint64 voidFrom;
    }

    /// @notice `issuer` attested that `controller` controls the DID until `expiresAt` (exclusive).
    event DIDAttested(
        bytes32 indexed didHash,
        address indexed controller,
        address indexed issuer,
        uint64 attestedAt,
        uint64 expiresAt
    );

    /// @notice `issuer` withdrew its attestation of `controller`.
    event DIDRevoked(bytes32 indexed didHash, address indexed controller, address indexed issuer);

    /// @notice `issuer` attested `dataHash` for the DID until `expiresAt` (exclusive).
    event DataHashAttested(
        bytes32 indexed didHash,
        bytes32 indexed dataHash,
        address indexed issuer,
        uint64 attestedAt,
        uint64 expiresAt
    );

    /// @notice `issuer` withdrew its attestation of `dataHash`.
    event DataHashRevoked(bytes32 indexed didHash, bytes32 indexed dataHash, address indexed issuer);

    /// @notice `voucher` vouched for `controller`, who counts from now on without the wait.
    event ControllerVouched(bytes32 indexed didHash, address indexed controller, address indexed voucher);

    /// @notice `rejecter` rejected the waiting `controller`.
    event ControllerRejected(bytes32 indexed didHash, address indexed controller, address indexed rejecter);

    /// @notice `challenger` challenged `incumbent`; resolvable from `resolvableFrom` until `voidFrom` (exclusive).
    event DIDChallenged(
        bytes32 indexed didHash,
        address indexed incumbent,
        address indexed challenger,
        uint64 resolvableFrom,
        uint64 voidFrom
    );

    /// @notice A challenge was resolved; when it was won, the incumbent's attestations written so far are ousted.
    event ChallengeResolved(
        bytes32 indexed didHash,
        address indexed incumbent,
        address indexed challenger,
        bool won,
        uint256 challengerScore,
        uint256 incumbentAttestations
    );

    /// @notice `issuer` was authorised; `epoch` numbers its authorisations from 1.
    event IssuerAdded(address indexed issuer, uint32 epoch);

    /// @notice `issuer` lost its authorisation, and with it every attestation that it wrote.
    event IssuerRemoved(address indexed issuer);

    /// @notice `issuer` used up `nonce` without a statement.
    event NonceCancelled(address indexed issuer, uint256 nonce);

    /// @notice The longest lifetime of an attestation changed, in seconds.
    event MaxTTLUpdated(uint64 oldTTL, uint64 newTTL);

    /// @notice The wait of a newcomer changed, in seconds.
    event MaturationUpdated(uint64 oldMaturation, uint64 newMaturation);

    /// @notice The account is not an issuer.
    error NotIssuer(address account);
    /// @notice The account is an issuer already.
    error AlreadyIssuer(address account);
    /// @notice There are `max` issuers already.
    error TooManyIssuers(uint256 max);
    /// @notice The zero address can't be an issuer or a controller.
    error ZeroAddress();
    /// @notice The zero hash names no DID and no document.
    error ZeroHash();
    /// @notice `expiresAt` is now or past.
    error ExpiresInPast(uint64 expiresAt, uint64 timestamp);
    /// @notice `expiresAt` is further away than the maximum lifetime allows.
    error ExpiresTooLate(uint64 expiresAt, uint64 max);
    /// @notice There is nothing of this issuer to revoke.
    error NothingToRevoke(bytes32 didHash, bytes32 subject, address issuer);
    /// @notice The maximum lifetime is outside its bounds, in seconds.
    error InvalidMaxTTL(uint64 ttl, uint64 min, uint64 max);
    /// @notice The maturation is outside its bounds, in seconds.
    error InvalidMaturation(uint64 maturation, uint64 min, uint64 max);
    /// @notice The signature is not the issuer's.
    error InvalidSignature(address issuer);
    /// @notice The signature's deadline is past.
    error SignatureExpired(uint64 deadline, uint64 timestamp);
    /// @notice The signature's deadline is before `issuedAt`, or more than a day after it.
    error InvalidDeadline(uint64 issuedAt, uint64 deadline);
    /// @notice The signature says that it was made in the future.
    error IssuedInFuture(uint64 issuedAt, uint64 timestamp);
    /// @notice The signature was made under another authorisation of its issuer.
    error IssuerEpochMismatch(address issuer, uint32 epoch, uint32 currentEpoch);
    /// @notice The signature is not newer than its issuer's last revocation, or the last ousting, of what it states.
    error SignatureSuperseded(uint64 issuedAt, uint64 supersededAt);
    /// @notice The nonce was used or cancelled.
    error NonceUsed(address issuer, uint256 nonce);
    /// @notice The account does not count as a controller of the DID.
    error NotController(bytes32 didHash, address account);
    /// @notice The account has no live attestation for the DID.
    error NotAttested(bytes32 didHash, address account);
    /// @notice The voucher counts only by a vouch itself, so it can't vouch.
    error VouchedCannotVouch(bytes32 didHash, address voucher);
    /// @notice The controller does not wait: it counts already, has no record, or has waited and is not attested.
    error NotWaiting(bytes32 didHash, address controller);
    /// @notice Another controller's rejection stands against the controller, so a vouch would be without effect.
    error RejectionStands(bytes32 didHash, address controller);
    /// @notice `max` rejections with force stand against the controller already.
    error TooManyRejections(uint256 max);
    /// @notice An account can't vouch for, reject or challenge itself.
    error SelfReference(address account);
    /// @notice This challenger's challenge of this incumbent runs already.
    error ChallengeAlreadyOpen(bytes32 didHash, address incumbent, address challenger);
    /// @notice There is no such challenge, or it is void.
    error ChallengeNotOpen(bytes32 didHash, address incumbent, address challenger);
    /// @notice The challenge can't be resolved before `resolvableFrom`.
    error ChallengeNotResolvable(uint64 resolvableFrom);
    /// @notice The resolver can't be left without an owner.
    error RenounceRefused();

    /// @notice Whether `controller` counts as a controller of the DID now.
    /// @dev It does when it has a live attestation and either is the first controller ever recorded for the DID, or
    /// stands under no rejection and has waited `maturation` since its own first record or is vouched for.
    function checkDID(bytes32 didHash, address controller) external view returns (bool);

    /// @notice Whether any issuer's live attestation of `dataHash` exists.
    function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) external view returns (bool);

    /// @notice Why `controller` counts, or does not.
    function getController(bytes32 didHash, address controller) external view returns (ControllerView memory);

    /// @notice Every recorded attestation of a controller by an issuer who is authorised now; at most 16.
    function getDIDAttestations(
        bytes32 didHash,
        address controller
    ) external view returns (AttestationView[] memory);

    /// @notice Every recorded attestation of a dataHash by an issuer who is authorised now; at most 16.
    function getDataHashAttestations(
        bytes32 didHash,
        bytes32 dataHash
    ) external view returns (AttestationView[] memory);

    /// @notice The first controller ever recorded for a DID, or zero.
    function firstController(bytes32 didHash) external view returns (address);

    /// @notice Number of issuers whose live attestation of `controller` is at least `maturation` old.
    function ownershipScore(bytes32 didHash, address controller) external view returns (uint256);

    /// @notice Attests that a controller controls a DID. Issuers only.
    /// @dev `expiresAt` 0 stands for the maximum lifetime. Attesting again renews: a live attestation keeps its age,
    /// an expired or revoked one begins anew. Reverts with `NotIssuer`, `ZeroHash`, `ZeroAddress`, `ExpiresInPast` or
    /// `ExpiresTooLate`.
    function attestDID(bytes32 didHash, address controller, uint64 expiresAt) external;

    /// @notice Withdraws the caller's own attestation of a controller, live or expired.
    /// @dev The controller's wait starts anew, and a vouch for it ends, when no live attestation of it is left. What
    /// other issuers attest is theirs: one rogue issuer can neither end nor restart it.
    /// Reverts with `NotIssuer` or `NothingToRevoke`.
    function revokeDID(bytes32 didHash, address controller) external;

    /// @notice Attests the hash of a DID's metadata. Issuers only.
    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external;

    /// @notice Withdraws the caller's own attestation of a dataHash.
    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external;

    /// @notice `attestDID` for each entry.
    function attestDIDBatch(DIDAttestation[] calldata attestations) external;

    /// @notice `revokeDID` for each entry; `expiresAt` is ignored.
    function revokeDIDBatch(DIDAttestation[] calldata attestations) external;

    /// @notice `attestDataHash` for each entry.
    function attestDataHashBatch(DataHashAttestation[] calldata attestations) external;

    /// @notice `revokeDataHash` for each entry; `expiresAt` is ignored.
    function revokeDataHashBatch(DataHashAttestation[] calldata attestations) external;

    /// @notice `attestDID` by an issuer's signature, sent by anybody.
    /// @dev Signed type: `AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,uint32 epoch,
    /// uint64 issuedAt,uint64 deadline,uint256 nonce)`, domain name "App Registry Resolver", version "1".
    function attestDIDBySignature(
        DIDAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external;

    /// @notice `revokeDID` by an issuer's signature. Signed type: `RevokeDID(bytes32 didHash,address controller,
    /// address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)`.
    function revokeDIDBySignature(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata signature
    ) external;

    /// @notice `attestDataHash` by an issuer's signature. Signed type: `AttestDataHash(bytes32 didHash,
    /// bytes32 dataHash,uint64 expiresAt,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)`.
    function attestDataHashBySignature(
        DataHashAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external;

    /// @notice `revokeDataHash` by an issuer's signature. Signed type: `RevokeDataHash(bytes32 didHash,
    /// bytes32 dataHash,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)`.
    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata signature
    ) external;

    /// @notice Uses up one of the caller's nonces, so that a signature with it is worth nothing.
    function cancelNonce(uint256 nonce) external;

    /// @notice Whether a nonce of an issuer is used up.
    function isNonceUsed(address issuer, uint256 nonce) external view returns (bool);

    /// @notice Lets an attested newcomer count without the wait, for as long as that attestation lives and the
    /// caller counts. The caller must count without a vouch itself; its own rejection of the newcomer is withdrawn.
    /// @dev The vouch covers every attestation that is live when it is given, and ends with the last of them, or when
    /// the caller is revoked or ousted. Reverts with `SelfReference`, `NotController`, `VouchedCannotVouch`,
    /// `NotAttested`, `NotWaiting` or `RejectionStands`.
    function vouchController(bytes32 didHash, address controller) external;

    /// @notice Keeps a waiting newcomer from counting while the caller counts.
    /// @dev A newcomer waits from its first record on, even while its attestation has expired. The rejection ends when
    /// the caller is revoked or ousted, or vouches for the newcomer; and when the newcomer counts because no
    /// rejecter does, and acts. At most four with force stand against one newcomer. Reverts with `SelfReference`,
    /// `NotController`, `NotWaiting` or `TooManyRejections`.
    function rejectController(bytes32 didHash, address controller) external;

    /// @notice Opens a challenge of an attested incumbent; the caller needs a live attestation of its own.
    /// @dev Nothing changes before it is resolved. Reverts with `SelfReference`, `NotAttested` or
    /// `ChallengeAlreadyOpen`.
    function challengeDID(bytes32 didHash, address incumbent) external;

    /// @notice Decides a challenge, by anyone, from `maturation` to twice `maturation` after it was opened, both as of
    /// the opening.
    /// @dev The challenger wins when its `ownershipScore` is strictly higher than the number of the incumbent's live
    /// attestations, matured or not. Then every attestation of the incumbent written so far is ousted, and its wait
    /// starts anew. Reverts with `ChallengeNotOpen` or `ChallengeNotResolvable`.
    function resolveChallenge(bytes32 didHash, address incumbent, address challenger) external;

    /// @notice The open challenge of an incumbent by a challenger; all zero when there is none or it is void.
    function getChallenge(
        bytes32 didHash,
        address incumbent,
        address challenger
    ) external view returns (ChallengeView memory);

    /// @notice Authorises an issuer; at most 16 at a time. Owner only.
    function addIssuer(address issuer) external;

    /// @notice Ends an issuer's authorisation and silences all that it wrote. Owner only.
    function removeIssuer(address issuer) external;

    /// @notice Whether an account is an authorised issuer now.
    function isIssuer(address account) external view returns (bool);

    /// @notice Number of the issuer's current authorisation, from 1; 0 when it has none.
    function issuerEpoch(address issuer) external view returns (uint32);

    /// @notice The authorised issuers.
    function getIssuers() external view returns (address[] memory);

    /// @notice Longest lifetime of an attestation, in seconds.
    function maxTTL() external view returns (uint64);

    /// @notice Wait of a newcomer, in seconds.
    function maturation() external view returns (uint64);

    /// @notice Sets the longest lifetime of new attestations, 1 day to 10 years. Owner only.
    function setMaxTTL(uint64 newMaxTTL) external;

    /// @notice Sets the wait of a newcomer, 1 hour to 30 days. Owner only.
    function setMaturation(uint64 newMaturation) external;
}
