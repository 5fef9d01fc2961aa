// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Resolver of the App Registry
/// @notice Decides which accounts control a DID, and which dataHashes are attested for it.
/// Authorised issuers write attestations, directly or by an EIP-712 signature that anybody may submit.
/// @dev `didHash` is keccak256 of the UTF-8 bytes of the canonical DID. Times are Unix seconds, and expired means
/// `now >= expiresAt`. An attestation begins a run, which renewals continue. The grace is the 7 days after expiry in
/// which a run can still be renewed without loss.
///
/// A run is live unless it has expired, ended, or is void because its issuer is distrusted. It is matured if it is live
/// and its date of maturing has come. It is overdue in the grace after it expired, if nothing ended it.
/// An account controls a DID if it has a matured run to which no block applies. It is in charge if it controls the DID
/// or has an overdue run to which no block applies. docs/control.md has the rules.
interface IResolver {
    /// @notice Rights of an issuer. Its status only moves down this list, so an address is never reinstated.
    enum IssuerStatus {
        /// @dev Never added.
        Unknown,
        Active,
        /// @dev The issuer can no longer attest, but may revoke.
        Retired,
        /// @dev The issuer's statements since a given time are void.
        Distrusted
    }

    /// @notice A statement that `controller` controls the DID.
    struct DIDAttestation {
        bytes32 didHash;
        address controller;
        /// @dev 0 for the maximum lifetime, else in the future and at most `maxTTL` after the statement.
        uint64 expiresAt;
    }

    /// @notice A statement that `dataHash` is the hash of the DID's metadata.
    struct DataHashAttestation {
        bytes32 didHash;
        bytes32 dataHash;
        /// @dev As in `DIDAttestation`.
        uint64 expiresAt;
    }

    /// @notice Fields that an issuer signs in addition to the statement, and the signature.
    struct IssuerSignature {
        address issuer;
        /// @dev Date of the statement: not in the future, and not before the issuer was added.
        uint64 statedAt;
        /// @dev Last second at which it may be submitted, at most a day after `statedAt`.
        uint64 deadline;
        /// @dev 65 bytes from an EOA, or any bytes that the issuer's ERC-1271 contract accepts.
        bytes signature;
    }

    /// @notice One entry of a batch of blocks.
    struct BlockRequest {
        bytes32 didHash;
        address account;
        /// @dev In the future, and at most 30 days ahead.
        uint64 until;
    }

    /// @notice Statements of one issuer about one pair of DID and controller, or DID and dataHash.
    struct AttestationView {
        address issuer;
        /// @dev Time at which the run began; 0 if the issuer has no run, or it is void.
        uint64 startedAt;
        /// @dev Date of the issuer's newest statement.
        uint64 statedAt;
        /// @dev Time at which the run matures. Runs of dataHashes mature when they begin.
        uint64 maturesAt;
        /// @dev Time at which the run expires. Distrust of the issuer can bring this forward.
        uint64 expiresAt;
        /// @dev Time at which the issuer, a lost challenge or the owner ended the run; 0 if none did.
        uint64 endedAt;
        /// @dev Time of the issuer's last revocation; 0 if its newest statement is an attestation.
        uint64 revokedAt;
        /// @dev True if the run has not expired, has not ended and is not void.
        bool live;
        /// @dev True if the run is live and `maturesAt` has passed. `ownershipScore` counts these runs.
        bool matured;
        /// @dev True if the run expired less than 7 days ago and nothing ended it: an attestation renews it. Always
        /// false for dataHashes.
        bool overdue;
        /// @dev True if a block applies to the run. `checkDID` is true if and only if a run is matured and not blocked.
        bool blocked;
    }

    /// @notice Reasons why `checkDID` is true or false for an account.
    struct ControllerView {
        /// @dev Result of `checkDID`.
        bool controls;
        /// @dev True if `controls` is, or an overdue renewal would make it true. Only accounts in charge may block and
        /// unblock.
        bool inCharge;
        /// @dev True if a run is live. `checkDID` is false without a live run.
        bool attested;
        /// @dev First second, from now on, at which `checkDID` is true if nobody acts: now if it is true, 0 if it never
        /// will be. Takes the end of the block into account.
        uint64 controlsFrom;
        /// @dev End of the block that keeps the account from being in charge; 0 if no block does. `checkDID` is false
        /// while this is not 0.
        uint64 blockedUntil;
        /// @dev Number of issuers with a matured run. `checkDID` is false if it is 0. Blocks don't change it.
        uint64 score;
        /// @dev Number of issuers whose run is live or was in the last 7 days: a challenger's score must exceed it.
        /// `checkDID` is false if it is 0. Blocks don't change it.
        uint64 resistance;
    }

    /// @notice The block on an account; all zero if the account is not blocked or the block has ended.
    struct BlockView {
        /// @dev Beginning of the block, which applies to runs that mature later.
        uint64 blockedAt;
        /// @dev First second at which it has ended.
        uint64 blockedUntil;
        /// @dev Highest number of issuers that put one of the block's authors in charge. The block doesn't apply while
        /// more issuers than this have a run of the account that matured `challengePeriod` ago.
        uint64 weight;
    }

    /// @notice The open challenge of an incumbent controller; all zero if it was never opened or has expired.
    struct ChallengeView {
        uint64 openedAt;
        /// @dev First second at which it can be resolved.
        uint64 resolvableFrom;
        /// @dev First second at which it has expired.
        uint64 expiresAt;
    }

    /// @notice Decisions of the owner about an issuer.
    struct IssuerView {
        address issuer;
        IssuerStatus status;
        uint64 addedAt;
        /// @dev Time since which the issuer's statements are void; 0 unless its status is Distrusted.
        uint64 distrustedSince;
        /// @dev Time from which another issuer can get its seat; 0 while the issuer is active.
        uint64 seatFreeAt;
    }

    /// @notice `issuer` attested that `controller` controls the DID until `expiresAt` (exclusive).
    /// @dev `startedAt`, `maturesAt` and `expiresAt` are those of the run. A renewal keeps the first two, and never
    /// moves `expiresAt` closer.
    event DIDAttested(
        bytes32 indexed didHash,
        address indexed controller,
        address indexed issuer,
        uint64 statedAt,
        uint64 startedAt,
        uint64 maturesAt,
        uint64 expiresAt
    );

    /// @notice `issuer` revoked its attestation of `controller`.
    event DIDRevoked(
        bytes32 indexed didHash,
        address indexed controller,
        address indexed issuer,
        uint64 statedAt
    );

    /// @notice `issuer` attested `dataHash` for the DID until `expiresAt` (exclusive).
    event DataHashAttested(
        bytes32 indexed didHash,
        bytes32 indexed dataHash,
        address indexed issuer,
        uint64 statedAt,
        uint64 startedAt,
        uint64 expiresAt
    );

    /// @notice `issuer` revoked its attestation of `dataHash`.
    event DataHashRevoked(
        bytes32 indexed didHash,
        bytes32 indexed dataHash,
        address indexed issuer,
        uint64 statedAt
    );

    /// @notice The owner ended an inactive issuer's attestation of a controller.
    event DIDAttestationEnded(bytes32 indexed didHash, address indexed controller, address indexed issuer);

    /// @notice The owner ended an inactive issuer's attestation of a dataHash.
    event DataHashAttestationEnded(bytes32 indexed didHash, bytes32 indexed dataHash, address indexed issuer);

    /// @notice `author` blocked `account`, or extended the block on it.
    /// @dev Until `blockedUntil` (exclusive), the block applies to runs of the account that mature after `blockedAt`.
    /// `weight` is the highest number of issuers that put one of its authors in charge.
    event ControllerBlocked(
        bytes32 indexed didHash,
        address indexed account,
        address indexed author,
        uint64 blockedAt,
        uint64 blockedUntil,
        uint64 weight
    );

    /// @notice A batch of `author` didn't block `account`, which is in charge of the DID.
    event BlockSkipped(bytes32 indexed didHash, address indexed account, address indexed author);

    /// @notice `author` ended the block on `account`.
    event ControllerUnblocked(bytes32 indexed didHash, address indexed account, address indexed author);

    /// @notice `challenger` challenged `incumbent`; resolvable from `resolvableFrom` until `expiresAt` (exclusive).
    event DIDChallenged(
        bytes32 indexed didHash,
        address indexed incumbent,
        address indexed challenger,
        uint64 resolvableFrom,
        uint64 expiresAt
    );

    /// @notice `challenger` won its challenge, and every run of `incumbent` ended for good.
    event ControllerRemoved(
        bytes32 indexed didHash,
        address indexed incumbent,
        address indexed challenger,
        uint256 score,
        uint256 resistance
    );

    /// @notice `issuer` may attest from now on.
    event IssuerAdded(address indexed issuer);

    /// @notice `issuer` can no longer attest. Its attestations stay valid, and it may revoke them.
    event IssuerRetired(address indexed issuer);

    /// @notice The statements of `issuer` at `since` or later are void.
    event IssuerDistrusted(address indexed issuer, uint64 since);

    /// @notice The account is not an active issuer. A retired issuer may still revoke.
    error NotIssuer(address account);
    /// @notice The account is or was an issuer. An address can't be added twice.
    error IssuerKnown(address account);
    /// @notice The issuer is still active. Only the issuer itself can revoke its statements.
    error IssuerActive(address account);
    /// @notice No seat is free. The last one is assigned only while no issuer is active.
    error NoFreeSeat(uint256 seats);
    /// @notice Distrust must begin before `before`. It can't begin in the future, and can only be moved earlier.
    error InvalidDistrust(uint64 since, uint64 before);
    /// @notice The zero address can't be an issuer or a controller.
    error ZeroAddress();
    /// @notice The zero hash names no DID and no document.
    error ZeroHash();
    /// @notice `expiresAt` is now or past.
    error ExpiresInPast(uint64 expiresAt, uint64 timestamp);
    /// @notice `expiresAt` is further away than the maximum lifetime allows.
    error ExpiresTooLate(uint64 expiresAt, uint64 max);
    /// @notice The attestation expires before it matures, so it would never give control.
    error ExpiresBeforeMaturing(uint64 expiresAt, uint64 maturesAt);
    /// @notice The statement is not newer than the issuer's last one about the pair, or than a lost challenge.
    error StaleStatement(uint64 statedAt, uint64 newestAt);
    /// @notice The issuer revoked the controller or dataHash, and can't attest it again before `attestableFrom`.
    error RecentlyRevoked(uint64 attestableFrom);
    /// @notice The issuer never attested the pair.
    error NothingToEnd(bytes32 didHash, address issuer);
    /// @notice A maturation, challenge period or maximum lifetime is outside its bounds, in seconds.
    error SettingOutOfBounds(uint64 value, uint64 min, uint64 max);
    /// @notice The signature is not the issuer's.
    error InvalidSignature(address issuer);
    /// @notice The signature's deadline is past.
    error SignatureExpired(uint64 deadline, uint64 timestamp);
    /// @notice The signature's deadline is before `statedAt`, or more than a day after it.
    error InvalidDeadline(uint64 statedAt, uint64 deadline);
    /// @notice `statedAt` is in the future, or before the issuer was added at `addedAt`.
    error InvalidStatedAt(uint64 statedAt, uint64 addedAt, uint64 timestamp);
    /// @notice The account is not in charge of the DID, so it can neither block nor unblock.
    error NotInCharge(bytes32 didHash, address account);
    /// @notice The account is in charge of the DID, so it can't be blocked. Challenge it instead.
    error AccountInCharge(bytes32 didHash, address account);
    /// @notice The batch is empty, or all its accounts are in charge of their DIDs.
    error NobodyBlocked();
    /// @notice No account can be blocked before `blockableFrom`, which is `maturation` after the DID was claimed.
    error TooEarlyToBlock(uint64 blockableFrom);
    /// @notice A block must end in the future, and no later than `max`.
    error InvalidBlockEnd(uint64 until, uint64 max);
    /// @notice The account is not blocked, or the block has ended.
    error NotBlocked(bytes32 didHash, address account);
    /// @notice The challenger has no matured run, or the incumbent's resistance is 0.
    error NotAttested(bytes32 didHash, address account);
    /// @notice An account can't block or challenge itself.
    error SelfReference(address account);
    /// @notice This challenger already has an open challenge of this incumbent.
    error ChallengeAlreadyOpen(bytes32 didHash, address incumbent, address challenger);
    /// @notice This challenger has no open challenge of this incumbent. It may have expired.
    error ChallengeNotOpen(bytes32 didHash, address incumbent, address challenger);
    /// @notice The challenge can't be resolved before `resolvableFrom`.
    error ChallengeNotResolvable(uint64 resolvableFrom);
    /// @notice The challenger's score does not exceed the incumbent's resistance now. The challenge stays open.
    error ChallengeNotWon(uint256 score, uint256 resistance);
    /// @notice The owner can't renounce ownership. Without an owner, nobody could distrust an issuer.
    error RenounceRefused();

    /// @notice Returns true if `controller` controls the DID now.
    /// @dev It has a matured run to which no block applies.
    function checkDID(bytes32 didHash, address controller) external view returns (bool);

    /// @notice Returns true if any issuer has a live attestation of `dataHash`. Independent of `checkDID`.
    function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) external view returns (bool);

    /// @notice Returns true if `account` prevents others from reclaiming its records.
    /// @dev True whenever `checkDID` is, and for 7 days after such a run expired or was revoked. False as soon as a
    /// lost challenge or the owner ended the runs, they are void because of distrust, or a block applies to them.
    function resistsReclaim(bytes32 didHash, address account) external view returns (bool);

    /// @notice Returns the reasons why `checkDID` is true or false for `controller`.
    /// @dev `checkDID` is true if and only if `controls` is.
    function getController(bytes32 didHash, address controller) external view returns (ControllerView memory);

    /// @notice Returns the statements of each issuer about a controller, including revocations; at most 16.
    /// @dev `checkDID` is true if and only if one of these is matured and not blocked.
    function getDIDAttestations(
        bytes32 didHash,
        address controller
    ) external view returns (AttestationView[] memory);

    /// @notice Returns the statements of each issuer about a dataHash, including revocations; at most 16.
    /// @dev `checkDataHashAttestation` is true if and only if one of these is live. Independent of `checkDID`.
    function getDataHashAttestations(
        bytes32 didHash,
        bytes32 dataHash
    ) external view returns (AttestationView[] memory);

    /// @notice Returns the block on an account; all zero if the account is not blocked or the block has ended.
    /// @dev `checkDID` can be true despite a block that more issuers outweigh or that began after a run matured. Use
    /// `getController` to see if the block applies now.
    function getBlock(bytes32 didHash, address account) external view returns (BlockView memory);

    /// @notice Returns the time of the first attestation of a controller of the DID, which claimed the DID; 0 if it is
    /// unclaimed.
    /// @dev While it is 0, `checkDID` is false for every account, and the next attestation makes it true immediately.
    /// Later attestations make it true after `maturation`, or after up to twice that soon after the claim.
    function claimedAt(bytes32 didHash) external view returns (uint64);

    /// @notice Returns the number of issuers with a matured run of `controller`.
    /// @dev `checkDID` is false if this is 0. Otherwise only a block can make `checkDID` false.
    function ownershipScore(bytes32 didHash, address controller) external view returns (uint256);

    /// @notice Attests that a controller controls a DID. Active issuers only.
    /// @dev `expiresAt` 0 means the maximum lifetime. An attestation renews a live or overdue run, which keeps its
    /// dates; its expiry never moves closer. Otherwise it begins a run. The DID's first run matures immediately. Other
    /// runs mature `maturation` later, counted from `maturation` after the claim if that is in the future. Reverts with
    /// `NotIssuer`, `ZeroHash`, `ZeroAddress`, `ExpiresInPast`, `ExpiresTooLate`, `ExpiresBeforeMaturing`,
    /// `RecentlyRevoked` (within `maturation` of the issuer's own last revocation) or `StaleStatement` (in the second
    /// of a lost challenge).
    function attestDID(bytes32 didHash, address controller, uint64 expiresAt) external;

    /// @notice Withdraws everything that the caller has attested or signed about a controller. Active and retired
    /// issuers.
    /// @dev Succeeds even if there is nothing to revoke. A revocation never moves the end of a run that an earlier one
    /// ended. Reverts with `NotIssuer`, `ZeroHash`, `ZeroAddress` or `StaleStatement` (in the second of a lost
    /// challenge).
    function revokeDID(bytes32 didHash, address controller) external;

    /// @notice Attests the hash of a DID's metadata. Active issuers only.
    /// @dev Reverts like `attestDID`, except that nothing matures and there are no challenges.
    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external;

    /// @notice Withdraws everything that the caller has attested or signed about a dataHash. Active and retired
    /// issuers.
    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external;

    /// @notice Calls `attestDID` for each entry. Skips entries that would revert with `RecentlyRevoked`,
    /// `StaleStatement` or `ExpiresBeforeMaturing`.
    function attestDIDBatch(DIDAttestation[] calldata attestations) external;

    /// @notice Calls `revokeDID` for each entry. Ignores `expiresAt`, and skips entries that would revert with
    /// `StaleStatement`.
    function revokeDIDBatch(DIDAttestation[] calldata attestations) external;

    /// @notice Calls `attestDataHash` for each entry. Skips the same entries as `attestDIDBatch`.
    function attestDataHashBatch(DataHashAttestation[] calldata attestations) external;

    /// @notice Calls `revokeDataHash` for each entry. Ignores `expiresAt`.
    function revokeDataHashBatch(DataHashAttestation[] calldata attestations) external;

    /// @notice Attests a controller by an issuer's signature, which anybody may submit. `maxTTL` starts at `statedAt`.
    /// @dev Signed type: `AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,
    /// uint64 statedAt,uint64 deadline)`, domain name "App Registry Resolver", version "1". An issuer's newest
    /// statement about a pair wins: a signature that is not newer than the last statement changes nothing. It succeeds
    /// if the last statement is the same, and otherwise reverts with `StaleStatement`. If an issuer signed both in the
    /// same second, the revocation wins. A signature that is not newer than a lost challenge reverts with
    /// `StaleStatement`. Also reverts like `attestDID`, and with `InvalidStatedAt`, `InvalidDeadline`,
    /// `SignatureExpired` or `InvalidSignature`.
    function attestDIDBySignature(
        DIDAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external;

    /// @notice Revokes a controller by an issuer's signature. Signed type: `RevokeDID(bytes32 didHash,
    /// address controller,address issuer,uint64 statedAt,uint64 deadline)`.
    function revokeDIDBySignature(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata signature
    ) external;

    /// @notice Attests a dataHash by an issuer's signature. Signed type: `AttestDataHash(bytes32 didHash,
    /// bytes32 dataHash,uint64 expiresAt,address issuer,uint64 statedAt,uint64 deadline)`.
    function attestDataHashBySignature(
        DataHashAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external;

    /// @notice Revokes a dataHash by an issuer's signature. Signed type: `RevokeDataHash(bytes32 didHash,
    /// bytes32 dataHash,address issuer,uint64 statedAt,uint64 deadline)`.
    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata signature
    ) external;

    /// @notice Prevents an account from controlling the DID until `until`, regardless of the issuer. For accounts in
    /// charge of the DID.
    /// @dev A block applies to the account's runs that mature after it began, even if they began earlier. It stays in
    /// force if its author loses control. Its weight is the number of issuers whose runs put the author in charge. It
    /// doesn't apply while more issuers than that have a live or overdue run of the account that matured
    /// `challengePeriod` ago and was attested for longer than that. Blocking again before the end extends the block,
    /// which keeps its beginning, the later end and the higher weight. Reverts with `SelfReference`, `NotInCharge`,
    /// `AccountInCharge`, `TooEarlyToBlock` or `InvalidBlockEnd` (`until` is past, or more than 30 days ahead).
    function blockController(bytes32 didHash, address account, uint64 until) external;

    /// @notice Blocks each entry's account like `blockController`, but skips an account in charge.
    /// @dev Reverts as a whole with the same errors if anything else prevents an entry, and with `NobodyBlocked`. Computes
    /// the weight once for consecutive entries of a DID.
    function blockControllerBatch(BlockRequest[] calldata requests) external;

    /// @notice Ends the block on an account, which may be the caller's own. For accounts in charge of the DID.
    /// @dev Reverts with `NotInCharge` or `NotBlocked`.
    function unblockController(bytes32 didHash, address account) external;

    /// @notice Opens a challenge of an incumbent. The caller needs a matured run of its own.
    /// @dev A challenge changes nothing until it is resolved. Reverts with `SelfReference`, `NotAttested` or
    /// `ChallengeAlreadyOpen`.
    function challengeDID(bytes32 didHash, address incumbent) external;

    /// @notice Removes the incumbent as a controller. Anyone may call it, from `challengePeriod` to twice that after
    /// the opening.
    /// @dev The challenger's runs that had matured by the opening, and still are matured, must come from more issuers
    /// than the incumbent's resistance. Then every run of the incumbent ends for good; no block changes. Reverts with
    /// `ChallengeNotOpen`, `ChallengeNotResolvable` or `ChallengeNotWon`.
    function resolveChallenge(bytes32 didHash, address incumbent, address challenger) external;

    /// @notice Returns the open challenge of an incumbent by a challenger; all zero if the challenger opened none or it
    /// has expired.
    /// @dev An open challenge doesn't change `checkDID`.
    function getChallenge(
        bytes32 didHash,
        address incumbent,
        address challenger
    ) external view returns (ChallengeView memory);

    /// @notice Authorises an issuer. Owner only.
    /// @dev Reverts with `ZeroAddress`, `IssuerKnown` or `NoFreeSeat`.
    function addIssuer(address issuer) external;

    /// @notice Ends an active issuer's right to attest; its attestations stay valid. Owner only.
    /// @dev Reverts with `NotIssuer`.
    function retireIssuer(address issuer) external;

    /// @notice Voids an issuer's statements at `since` or later, for example because its key leaked. Owner only.
    /// @dev Runs that began at `since` or later are void, and revocations at `since` or later are ignored. A run that
    /// began earlier and was extended at `since` or later expires at most 23 days after the issuer was first
    /// distrusted. Later calls can move `since` earlier. Reverts with `NotIssuer` or `InvalidDistrust`.
    function distrustIssuer(address issuer, uint64 since) external;

    /// @notice Ends an inactive issuer's attestation of a controller for good. Owner only.
    /// @dev A run that has already ended keeps its end, and no later distrust undoes it. Reverts with `NotIssuer`,
    /// `IssuerActive` or `NothingToEnd`.
    function endDIDAttestation(bytes32 didHash, address controller, address issuer) external;

    /// @notice Ends an inactive issuer's attestation of a dataHash for good. Owner only.
    /// @dev Reverts like `endDIDAttestation`.
    function endDataHashAttestation(bytes32 didHash, bytes32 dataHash, address issuer) external;

    /// @notice Returns the owner's decisions about an issuer. Its status is Unknown if it was never added.
    /// @dev `checkDID` takes into account all runs of seated active and retired issuers. Of a seated distrusted issuer,
    /// it takes into account only runs that began before `distrustedSince`.
    function getIssuer(address issuer) external view returns (IssuerView memory);

    /// @notice Returns the issuers that have a seat: active, retired or distrusted; at most 16.
    /// @dev `checkDID` takes into account only their statements.
    function getIssuers() external view returns (IssuerView[] memory);

    /// @notice Returns true if an account may attest now. Earlier attestations of a retired issuer stay valid.
    /// @dev If this is false for every account, no new attestation can make `checkDID` true.
    function isIssuer(address account) external view returns (bool);

    /// @notice Returns the longest lifetime of an attestation, in seconds, 30 days to 2 years.
    /// @dev `checkDID` is false for an account unless an issuer attested it less than this ago.
    function maxTTL() external view returns (uint64);

    /// @notice Returns the time until an attestation on a claimed DID matures, in seconds, 1 hour to 7 days.
    /// @dev On a claimed DID, `checkDID` stays false for a new account this long after its attestation was recorded, or
    /// up to twice as long soon after the claim.
    function maturation() external view returns (uint64);

    /// @notice Returns the time from the opening of a challenge until it can be resolved, in seconds, 7 to 60 days.
    /// @dev A challenge makes `checkDID` false only when it is won, which takes at least this long. A block no longer
    /// applies once runs of more issuers than its weight matured this long ago.
    function challengePeriod() external view returns (uint64);
}
