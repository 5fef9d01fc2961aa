// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Resolver of the App Registry
/// @notice Answers whether an account controls a DID and whether a dataHash is attested for a DID.
/// Authorised issuers write attestations, directly or by an EIP-712 signature that anybody may submit.
/// @dev `didHash` is keccak256 of the UTF-8 bytes of the canonical DID. Times are Unix seconds, and expired means
/// `now >= expiresAt`. An attestation begins a run, which renewals continue. The grace is the 7 days after expiry in
/// which a settled run can still be renewed without loss. docs/control.md has the rules.
interface IResolver {
    /// @notice What an issuer may do. Its status only moves down this list, so an address is never reinstated.
    enum IssuerStatus {
        /// @dev Never added.
        Unknown,
        Active,
        /// @dev Can no longer attest, but may revoke.
        Retired,
        /// @dev What it stated since a given time is void.
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

    /// @notice What an issuer signs in addition to the statement.
    struct IssuerSignature {
        address issuer;
        /// @dev When it was signed: not in the future, and not before the issuer was added.
        uint64 statedAt;
        /// @dev Last second at which it may be submitted, at most a day after `statedAt`.
        uint64 deadline;
        /// @dev 65 bytes of an EOA, or whatever the issuer's ERC-1271 contract accepts.
        bytes signature;
    }

    /// @notice What one issuer stated about one pair of DID and controller, or DID and dataHash.
    struct AttestationView {
        address issuer;
        /// @dev When the run began; 0 if the issuer has only revoked.
        uint64 startedAt;
        /// @dev Date of the issuer's newest statement.
        uint64 statedAt;
        /// @dev When the run settles; 2^40 - 1 if it never does.
        uint64 settlesAt;
        /// @dev When it expires. Distrust of the issuer can bring this forward.
        uint64 expiresAt;
        /// @dev When it was revoked, ousted or ended by the owner; 0 if it wasn't.
        uint64 endedAt;
        /// @dev A controller who counts vouched for the run.
        bool vouched;
        /// @dev Not expired, not ended, not void.
        bool live;
        /// @dev Live, and settled.
        bool settled;
        /// @dev Live, or settled and within the grace after expiry: an attestation renews it.
        bool held;
    }

    /// @notice Why a controller counts, or doesn't.
    struct ControllerView {
        /// @dev What `checkDID` answers.
        bool counts;
        /// @dev It has a live attestation.
        bool attested;
        /// @dev An objection in force bars all of its live attestations, if it has any.
        bool objected;
        /// @dev Its settled attestations have expired, but one that no objection bars is within the grace: renewing
        /// that one loses nothing.
        bool late;
        /// @dev When the first of its live attestations settles; 0 if none does.
        uint64 settlesAt;
        /// @dev Number of issuers with a settled attestation of it.
        uint64 score;
        /// @dev Number of issuers whose settled run of it is held, or was held less than `maturation` ago, or less than
        /// 48 hours ago if that is longer.
        uint64 standing;
    }

    /// @notice One controller's objection against an account.
    struct ObjectionView {
        address author;
        uint64 objectedAt;
        /// @dev Number of issuers whose run of the author had begun by then, and counts or has standing now.
        uint64 standing;
        bool inForce;
    }

    /// @notice A challenge of an incumbent controller; all zero if there is none.
    struct ChallengeView {
        uint64 openedAt;
        /// @dev First second at which it can be resolved.
        uint64 resolvableFrom;
        /// @dev First second at which it is void.
        uint64 voidFrom;
    }

    /// @notice What the owner decided about an issuer.
    struct IssuerView {
        address issuer;
        IssuerStatus status;
        uint64 addedAt;
        /// @dev Since when it is distrusted; 0 unless its status is Distrusted.
        uint64 distrustedSince;
        /// @dev When its seat can be given to another issuer; 0 while it is active.
        uint64 seatFreeAt;
    }

    /// @notice `issuer` attested that `controller` controls the DID until `expiresAt` (exclusive).
    /// @dev `startedAt` and `settlesAt` belong to the run; a renewal keeps them.
    event DIDAttested(
        bytes32 indexed didHash,
        address indexed controller,
        address indexed issuer,
        uint64 statedAt,
        uint64 startedAt,
        uint64 settlesAt,
        uint64 expiresAt
    );

    /// @notice `issuer` revoked whatever it had attested about `controller`.
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

    /// @notice `issuer` revoked whatever it had attested about `dataHash`.
    event DataHashRevoked(
        bytes32 indexed didHash,
        bytes32 indexed dataHash,
        address indexed issuer,
        uint64 statedAt
    );

    /// @notice The owner ended what an inactive issuer had stated about a controller.
    event DIDAttestationEnded(bytes32 indexed didHash, address indexed controller, address indexed issuer);

    /// @notice The owner ended what an inactive issuer had stated about a dataHash.
    event DataHashAttestationEnded(bytes32 indexed didHash, bytes32 indexed dataHash, address indexed issuer);

    /// @notice `voucher` vouched for `controller`, whose live attestations now count without waiting.
    event ControllerVouched(bytes32 indexed didHash, address indexed controller, address indexed voucher);

    /// @notice `author` objected to `account`; `replaced` is the author of the objection that this one replaced, or zero.
    event ControllerObjected(
        bytes32 indexed didHash,
        address indexed account,
        address indexed author,
        address replaced
    );

    /// @notice `author` withdrew its objection to `account`, directly or by vouching for it.
    event ObjectionWithdrawn(bytes32 indexed didHash, address indexed account, address indexed author);

    /// @notice `challenger` challenged `incumbent`; resolvable from `resolvableFrom` until `voidFrom` (exclusive).
    event DIDChallenged(
        bytes32 indexed didHash,
        address indexed incumbent,
        address indexed challenger,
        uint64 resolvableFrom,
        uint64 voidFrom
    );

    /// @notice `challenger` won its challenge, and every run of `incumbent` ended.
    event ControllerOusted(
        bytes32 indexed didHash,
        address indexed incumbent,
        address indexed challenger,
        uint256 score,
        uint256 standing
    );

    /// @notice `issuer` may attest from now on.
    event IssuerAdded(address indexed issuer);

    /// @notice `issuer` can no longer attest; what it stated lives on, and it may revoke it.
    event IssuerRetired(address indexed issuer);

    /// @notice What `issuer` stated at `since` or later is void.
    event IssuerDistrusted(address indexed issuer, uint64 since);

    /// @notice The longest lifetime of an attestation changed, in seconds.
    event MaxTTLUpdated(uint64 oldTTL, uint64 newTTL);

    /// @notice The time until a run settles changed, in seconds; existing runs keep theirs.
    event MaturationUpdated(uint64 oldMaturation, uint64 newMaturation);

    /// @notice The time until a challenge can be resolved changed, in seconds; open challenges keep theirs.
    event ChallengePeriodUpdated(uint64 oldPeriod, uint64 newPeriod);

    /// @notice The account is not an active issuer. A retired issuer may still revoke.
    error NotIssuer(address account);
    /// @notice The account is or was an issuer: an address is never added again.
    error IssuerKnown(address account);
    /// @notice The issuer is still active: only it can end its statements.
    error IssuerActive(address account);
    /// @notice No seat is free. The last one is assigned only while no issuer is active.
    error NoFreeSeat(uint256 seats);
    /// @notice Distrust must begin before `before`: it can't begin in the future, and can only be moved earlier.
    error InvalidDistrust(uint64 since, uint64 before);
    /// @notice The zero address can't be an issuer or a controller.
    error ZeroAddress();
    /// @notice The zero hash names no DID and no document.
    error ZeroHash();
    /// @notice `expiresAt` is now or past.
    error ExpiresInPast(uint64 expiresAt, uint64 timestamp);
    /// @notice `expiresAt` is further away than the maximum lifetime allows.
    error ExpiresTooLate(uint64 expiresAt, uint64 max);
    /// @notice The statement is not newer than the issuer's last one about the pair, or than an ousting.
    error StaleStatement(uint64 statedAt, uint64 newestAt);
    /// @notice The issuer revoked the controller, and can't attest it again before `attestableFrom`.
    error RecentlyRevoked(uint64 attestableFrom);
    /// @notice The issuer never attested the pair.
    error NothingToEnd(bytes32 didHash, address issuer);
    /// @notice The maximum lifetime is outside its bounds, in seconds.
    error InvalidMaxTTL(uint64 ttl, uint64 min, uint64 max);
    /// @notice The maturation is outside its bounds, in seconds.
    error InvalidMaturation(uint64 maturation, uint64 min, uint64 max);
    /// @notice The challenge period is outside its bounds, in seconds.
    error InvalidChallengePeriod(uint64 period, uint64 min, uint64 max);
    /// @notice The signature is not the issuer's.
    error InvalidSignature(address issuer);
    /// @notice The signature's deadline is past.
    error SignatureExpired(uint64 deadline, uint64 timestamp);
    /// @notice The signature's deadline is before `statedAt`, or more than a day after it.
    error InvalidDeadline(uint64 statedAt, uint64 deadline);
    /// @notice `statedAt` is in the future, or before the issuer was added at `addedAt`.
    error InvalidStatedAt(uint64 statedAt, uint64 addedAt, uint64 timestamp);
    /// @notice The account does not count as a controller of the DID.
    error NotController(bytes32 didHash, address account);
    /// @notice The account has no live attestation for the DID; if it is an incumbent, it has no standing either.
    error NotAttested(bytes32 didHash, address account);
    /// @notice The account already counts: challenge it instead.
    error ControllerCounts(bytes32 didHash, address account);
    /// @notice The author already objects to the account.
    error AlreadyObjected(bytes32 didHash, address account, address author);
    /// @notice The author has no objection to the account.
    error NotObjected(bytes32 didHash, address account, address author);
    /// @notice There are `max` objections in force, none of them weaker than this one.
    error TooManyObjections(uint256 max);
    /// @notice An account can't vouch for, object to or challenge itself.
    error SelfReference(address account);
    /// @notice This challenger already has an open challenge of this incumbent.
    error ChallengeAlreadyOpen(bytes32 didHash, address incumbent, address challenger);
    /// @notice This challenger has no challenge of this incumbent, or it is void.
    error ChallengeNotOpen(bytes32 didHash, address incumbent, address challenger);
    /// @notice The challenge can't be resolved before `resolvableFrom`.
    error ChallengeNotResolvable(uint64 resolvableFrom);
    /// @notice The challenger's score does not exceed the incumbent's standing now; the challenge stays open.
    error ChallengeNotWon(uint256 score, uint256 standing);
    /// @notice The resolver can't be left without an owner.
    error RenounceRefused();

    /// @notice Whether `controller` counts as a controller of the DID now.
    /// @dev It counts if it has a live attestation that is settled or vouched for and that no objection bars.
    function checkDID(bytes32 didHash, address controller) external view returns (bool);

    /// @notice Whether any issuer has a live attestation of `dataHash`.
    function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) external view returns (bool);

    /// @notice Whether `controller` had a settled attestation that no objection bars at any moment from `since` on.
    /// @dev Per issuer, only the latest run and the last settled run before it are known. Nothing is known of an issuer
    /// whose seat was given away, which is possible 90 days after its last attestation expired.
    function countedSince(bytes32 didHash, address controller, uint64 since) external view returns (bool);

    /// @notice Why `controller` counts, or doesn't.
    function getController(bytes32 didHash, address controller) external view returns (ControllerView memory);

    /// @notice What each issuer stated about a controller, including revocations; at most 16.
    function getDIDAttestations(
        bytes32 didHash,
        address controller
    ) external view returns (AttestationView[] memory);

    /// @notice What each issuer stated about a dataHash, including revocations; at most 16.
    function getDataHashAttestations(
        bytes32 didHash,
        bytes32 dataHash
    ) external view returns (AttestationView[] memory);

    /// @notice The objections against an account, in force or not; at most 4.
    function getObjections(bytes32 didHash, address account) external view returns (ObjectionView[] memory);

    /// @notice Whether an attestation was ever recorded for the DID. If so, newcomers wait.
    function isClaimed(bytes32 didHash) external view returns (bool);

    /// @notice Number of issuers with a settled attestation of `controller`.
    function ownershipScore(bytes32 didHash, address controller) external view returns (uint256);

    /// @notice Attests that a controller controls a DID. Active issuers only.
    /// @dev `expiresAt` 0 means the maximum lifetime. An attestation renews a held run: the run keeps its age, and its
    /// expiry never moves closer. Otherwise it begins a run. The DID's first run settles immediately; any other settles
    /// `maturation` later, or never if it would have expired by then. Reverts with `NotIssuer`, `ZeroHash`,
    /// `ZeroAddress`, `ExpiresInPast`, `ExpiresTooLate`, `RecentlyRevoked` (within `maturation` of the issuer's own
    /// revocation) or `StaleStatement` (in the second of an ousting).
    function attestDID(bytes32 didHash, address controller, uint64 expiresAt) external;

    /// @notice Withdraws whatever the caller has attested or signed about a controller. Active and retired issuers.
    /// @dev Succeeds even if there is nothing to revoke. Reverts with `NotIssuer`, `ZeroHash` or `ZeroAddress`.
    function revokeDID(bytes32 didHash, address controller) external;

    /// @notice Attests the hash of a DID's metadata. Active issuers only.
    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external;

    /// @notice Withdraws whatever the caller has attested or signed about a dataHash. Active and retired issuers.
    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external;

    /// @notice `attestDID` for each entry. Skips entries that would revert with `RecentlyRevoked` or `StaleStatement`.
    function attestDIDBatch(DIDAttestation[] calldata attestations) external;

    /// @notice `revokeDID` for each entry; `expiresAt` is ignored.
    function revokeDIDBatch(DIDAttestation[] calldata attestations) external;

    /// @notice `attestDataHash` for each entry.
    function attestDataHashBatch(DataHashAttestation[] calldata attestations) external;

    /// @notice `revokeDataHash` for each entry; `expiresAt` is ignored.
    function revokeDataHashBatch(DataHashAttestation[] calldata attestations) external;

    /// @notice `attestDID` by an issuer's signature, which anybody may submit; `maxTTL` runs from `statedAt`.
    /// @dev Signed type: `AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,
    /// uint64 statedAt,uint64 deadline)`, domain name "App Registry Resolver", version "1". An issuer's newest
    /// statement about a pair wins: a signature that is not newer than the last statement, or than an ousting, changes
    /// nothing. It succeeds if that one says the same, and otherwise reverts with `StaleStatement`. Within the same
    /// second, a revocation is the newer one. Also reverts with `InvalidStatedAt`, `InvalidDeadline`,
    /// `SignatureExpired` or `InvalidSignature`.
    function attestDIDBySignature(
        DIDAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external;

    /// @notice `revokeDID` by an issuer's signature. Signed type: `RevokeDID(bytes32 didHash,address controller,
    /// address issuer,uint64 statedAt,uint64 deadline)`.
    function revokeDIDBySignature(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata signature
    ) external;

    /// @notice `attestDataHash` by an issuer's signature. Signed type: `AttestDataHash(bytes32 didHash,
    /// bytes32 dataHash,uint64 expiresAt,address issuer,uint64 statedAt,uint64 deadline)`.
    function attestDataHashBySignature(
        DataHashAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external;

    /// @notice `revokeDataHash` by an issuer's signature. Signed type: `RevokeDataHash(bytes32 didHash,
    /// bytes32 dataHash,address issuer,uint64 statedAt,uint64 deadline)`.
    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata signature
    ) external;

    /// @notice Lets a newcomer's live attestations count without waiting, and withdraws the caller's objection to it.
    /// @dev Renewals keep the vouch; scores and standings still wait. Nothing depends on the caller afterwards.
    /// Reverts with `SelfReference`, `NotController` or `NotAttested`.
    function vouchController(bytes32 didHash, address newcomer) external;

    /// @notice Keeps an account that doesn't count, attested or not, from counting. For controllers who count or are
    /// late.
    /// @dev An objection bars the runs that had not settled when it was made. Its standing is the number of issuers whose
    /// run of the caller had begun by then, and counts or has standing. It is in force while its standing is at least 1,
    /// and at least the number of issuers whose held run of the account settled 7 days ago or earlier. There are at most
    /// 4: a new one replaces one that is not in force, else the weakest one below its own standing. Reverts with
    /// `SelfReference`, `NotController`, `ControllerCounts`, `AlreadyObjected` or `TooManyObjections`.
    function objectToController(bytes32 didHash, address account) external;

    /// @notice Ends the caller's objection to an account. Reverts with `NotObjected`.
    function withdrawObjection(bytes32 didHash, address account) external;

    /// @notice Opens a challenge of an incumbent; the caller needs a live attestation of its own.
    /// @dev It changes nothing before it is resolved. Reverts with `SelfReference`, `NotAttested` or
    /// `ChallengeAlreadyOpen`.
    function challengeDID(bytes32 didHash, address incumbent) external;

    /// @notice Ousts the incumbent. Anyone may call it, from `challengePeriod` to twice that after the opening; the
    /// period is the one at the opening.
    /// @dev The challenger's score is the number of issuers with a settled attestation of it that began before the
    /// opening. It must exceed the incumbent's standing plus its live attestations that have not settled. Then every run
    /// of the incumbent ends for good. Reverts with `ChallengeNotOpen`, `ChallengeNotResolvable` or `ChallengeNotWon`.
    function resolveChallenge(bytes32 didHash, address incumbent, address challenger) external;

    /// @notice The open challenge of an incumbent by a challenger; all zero if there is none or it is void.
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

    /// @notice Voids what an issuer stated at `since` or later, because its key leaked then. Owner only.
    /// @dev A run that began earlier stays, whatever was written over it. If that may have happened at `since` or later,
    /// it expires 30 days after `since` at the latest. Revocations at `since` or later are ignored. `since` can be moved
    /// earlier afterwards. Reverts with `NotIssuer` or `InvalidDistrust`.
    function distrustIssuer(address issuer, uint64 since) external;

    /// @notice Ends for good what an inactive issuer stated about a controller. Owner only.
    /// @dev A run that has ended keeps its end, which no later distrust undoes. Reverts with `NotIssuer`, `IssuerActive`
    /// or `NothingToEnd`.
    function endDIDAttestation(bytes32 didHash, address controller, address issuer) external;

    /// @notice Ends for good what an inactive issuer stated about a dataHash. Owner only.
    function endDataHashAttestation(bytes32 didHash, bytes32 dataHash, address issuer) external;

    /// @notice What the owner decided about an issuer; its status is Unknown if it was never added.
    function getIssuer(address issuer) external view returns (IssuerView memory);

    /// @notice The issuers that have a seat: active, retired or distrusted; at most 16.
    function getIssuers() external view returns (IssuerView[] memory);

    /// @notice Whether an account may attest now.
    function isIssuer(address account) external view returns (bool);

    /// @notice Longest lifetime of an attestation, in seconds.
    function maxTTL() external view returns (uint64);

    /// @notice Time until a newcomer's attestation settles, in seconds.
    function maturation() external view returns (uint64);

    /// @notice Time from the opening of a challenge until it can be resolved, in seconds.
    function challengePeriod() external view returns (uint64);

    /// @notice Sets the longest lifetime of new attestations, 1 day to 10 years, longer than `maturation`. Owner only.
    function setMaxTTL(uint64 newMaxTTL) external;

    /// @notice Sets the time until a newcomer's attestation settles, 1 hour to 30 days, shorter than `maxTTL`. Owner only.
    function setMaturation(uint64 newMaturation) external;

    /// @notice Sets the time until a challenge can be resolved, 2 to 60 days. Owner only.
    function setChallengePeriod(uint64 newPeriod) external;
}
