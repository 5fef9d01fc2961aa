// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";

import {IAppMetadata} from "./IAppMetadata.sol";
import {IResolver} from "./IResolver.sol";

/// @title App Registry
/// @notice One ERC-721 token per service (a DID) and major version. The minter, the holder and the holder's operators
/// may change a record, each only while this minter or holder controls the DID according to the resolver. The minter's
/// part ends when another account finishes a reclaim.
/// @dev Every DID is canonical: `did:web` as lower-case host (`%3A` port, `:` path), or
/// `did:pkh:eip155:<chain id>:0x<40 lower-case hex>`, at most 255 bytes.
interface IAppRegistry is IERC721Metadata, IERC4906 {
    /// @notice One published version of a record.
    struct Version {
        uint8 major;
        uint8 minor;
        uint8 patch;
        /// @dev Unix seconds of the block that published it.
        uint64 registeredAt;
    }

    /// @notice A record with its whole version history, oldest version first.
    // solhint-disable-next-line gas-struct-packing
    struct App {
        string did;
        uint8 versionMajor;
        Version[] versionHistory;
        /// @dev Bitmap: 1 Human, 2 API, 4 Contract.
        uint16 interfaces;
        string dataUrl;
        bytes32 dataHash;
        /// @dev 0 keccak256, 1 sha256.
        uint8 dataHashAlgorithm;
        /// @dev CAIP-10, or empty.
        string contractId;
        /// @dev CAIP-19, or empty.
        string fungibleTokenId;
        address minter;
        /// @dev 0 Active, 1 Deprecated, 2 Replaced.
        uint8 status;
        /// @dev keccak256 of each trait, at most 20.
        bytes32[] traitHashes;
    }

    /// @notice A record without its version history: every App field but `versionHistory`, with token id, owner and
    /// latest version. Its size does not grow with the number of versions.
    // solhint-disable-next-line gas-struct-packing
    struct AppSummary {
        uint256 tokenId;
        address owner;
        string did;
        uint8 versionMajor;
        Version latestVersion;
        uint16 interfaces;
        string dataUrl;
        bytes32 dataHash;
        uint8 dataHashAlgorithm;
        string contractId;
        string fungibleTokenId;
        address minter;
        uint8 status;
        bytes32[] traitHashes;
    }

    /// @notice Order that the next version of a record must follow.
    enum VersionOrder {
        /// @dev Greater than the current one, which is the highest in the history.
        Rising,
        /// @dev Greater than the current one, and not in the history, which holds higher versions.
        Lowered,
        /// @dev Any version that is not in the history. Applies to the first version after a finished reclaim.
        Open
    }

    /// @notice A claimant's open reclaim of a record, in Unix seconds; all zero if the claimant has no open reclaim.
    struct Reclaim {
        uint64 openedAt;
        /// @dev First second at which it can be finished.
        uint64 finishableFrom;
        /// @dev First second at which it has expired.
        uint64 expiresAt;
    }

    /// @notice A record was created. `dataHash` is the hash of the metadata of version major.minor.patch.
    event AppMinted(
        uint256 indexed tokenId,
        bytes32 indexed didHash,
        address indexed minter,
        string did,
        uint8 major,
        uint8 minor,
        uint8 patch,
        uint16 interfaces,
        string dataUrl,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        string contractId,
        string fungibleTokenId,
        bytes32[] traitHashes
    );

    /// @notice A new version of a record was published.
    /// @param tokenId The record.
    /// @param didHash keccak256 of its DID.
    /// @param major Major version of the record.
    /// @param minor New minor version.
    /// @param patch New patch version.
    /// @param interfaces The bitmap after the update.
    /// @param dataUrl The new URL; empty: unchanged.
    /// @param dataHash Hash of this version's metadata.
    /// @param dataHashAlgorithm Its algorithm.
    /// @param traitHashes The new trait hashes; empty: unchanged.
    event AppUpdated(
        uint256 indexed tokenId,
        bytes32 indexed didHash,
        uint8 major,
        uint8 minor,
        uint8 patch,
        uint16 interfaces,
        string dataUrl,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        bytes32[] traitHashes
    );

    /// @notice A record changed its status (0 Active, 1 Deprecated, 2 Replaced).
    event StatusUpdated(uint256 indexed tokenId, bytes32 indexed didHash, uint8 oldStatus, uint8 newStatus);

    /// @notice A controller opened a reclaim of a record whose minter and holder no longer control the DID.
    /// @dev It can be finished from `finishableFrom` until `expiresAt` (exclusive), Unix seconds.
    event ReclaimOpened(
        uint256 indexed tokenId,
        address indexed claimant,
        uint64 finishableFrom,
        uint64 expiresAt
    );

    /// @notice A claimant finished its reclaim, which moved the token to it.
    event ReclaimFinished(uint256 indexed tokenId, address indexed claimant, address indexed previousOwner);

    /// @notice All reclaims of the record that were opened before have ended, because its minter or holder changed the
    /// record or dismissed them while it controlled the DID.
    /// @dev Emitted before the event of the change, if a reclaim was opened since the last change. The order of events
    /// decides: a reclaim that is opened after this event is open, even in the same block.
    /// @param tokenId The record.
    /// @param actor Account that acted.
    /// @param restsOnHolder False if the act rests on the minter alone. It then does not end a reclaim that the holder
    /// opened and finishes.
    event ReclaimsDismissed(uint256 indexed tokenId, address indexed actor, bool restsOnHolder);

    /// @notice The DID is not canonical, not of a supported method, empty, or longer than 255 bytes.
    error InvalidDID(string did);
    /// @notice `account` does not control the DID: the resolver's `checkDID` is false.
    error NotController(bytes32 didHash, address account);
    /// @notice `caller` is neither the minter nor the holder nor an operator of a holder who controls the DID now.
    error NotAuthorized(uint256 tokenId, address caller);
    /// @notice A record of this DID and major version already exists.
    error AppAlreadyExists(bytes32 didHash, uint8 major);
    /// @notice No record of this DID and major version exists.
    error AppNotFound(bytes32 didHash, uint8 major);
    /// @notice No token has this token id.
    error TokenNotFound(uint256 tokenId);
    /// @notice The DID's third and later mints come at the earliest one day after the DID's mint before, whoever mints
    /// which major version. `mintableFrom` is in Unix seconds.
    error MintTooEarly(bytes32 didHash, uint64 mintableFrom);
    /// @notice A new major is at most one above the latest one.
    error MajorNotNext(uint8 major, uint8 latestMajor);
    /// @notice The version is not greater than the current one. Only the first version after a reclaim may be lower.
    error VersionNotGreater(uint8 currentMinor, uint8 currentPatch, uint8 minor, uint8 patch);
    /// @notice The record is at version x.255.255. Publish a new major version instead, or reclaim the record.
    error VersionExhausted(uint8 major);
    /// @notice The record already had this version. No version can be published twice.
    error VersionTaken(uint8 major, uint8 minor, uint8 patch);
    /// @notice The interface bitmap is outside 1 to 7.
    error InvalidInterfaces(uint16 interfaces);
    /// @notice An update may add interfaces but can't remove one. Publish a new major version instead.
    error InterfaceRemoved(uint16 currentInterfaces, uint16 interfaces);
    /// @notice Adding an interface needs a higher minor version.
    error InterfaceChangeNeedsMinor(uint16 currentInterfaces, uint16 interfaces);
    /// @notice The dataUrl of a new record is empty.
    error EmptyDataUrl();
    /// @notice The dataUrl is too long, in bytes.
    error DataUrlTooLong(uint256 length, uint256 max);
    /// @notice The dataHash is zero.
    error ZeroDataHash();
    /// @notice The algorithm is neither 0 (keccak256) nor 1 (sha256).
    error InvalidHashAlgorithm(uint8 algorithm);
    /// @notice The metadataJson does not hash to dataHash under the given algorithm.
    error DataHashMismatch(bytes32 expected, bytes32 actual);
    /// @notice The JSON to republish is empty.
    error EmptyMetadata();
    /// @notice The contractId is too long, in bytes.
    error ContractIdTooLong(uint256 length, uint256 max);
    /// @notice The fungibleTokenId is too long, in bytes.
    error FungibleTokenIdTooLong(uint256 length, uint256 max);
    /// @notice There are more trait hashes than allowed.
    error TooManyTraits(uint256 count, uint256 max);
    /// @notice A trait hash is zero.
    error ZeroTrait(uint256 index);
    /// @notice A trait hash occurs twice.
    error DuplicateTrait(bytes32 traitHash);
    /// @notice The status is not 0, 1 or 2.
    error InvalidStatus(uint8 status);
    /// @notice The record already has this status.
    error StatusUnchanged(uint8 status);
    /// @notice The page limit is outside 1 to 100.
    error InvalidLimit(uint256 limit);
    /// @notice `account` is the holder or a minter that has its part in the record, and the resolver's
    /// `resistsReclaim` is true for it.
    error ReclaimContested(uint256 tokenId, address account);
    /// @notice This claimant already has an open reclaim of the record.
    error ReclaimAlreadyOpen(uint256 tokenId, address claimant);
    /// @notice This claimant has no open reclaim of the record. It may have expired or been dismissed.
    error ReclaimNotOpen(uint256 tokenId, address claimant);
    /// @notice The reclaim can't be finished before `finishableFrom`, Unix seconds.
    error ReclaimNotFinishable(uint256 tokenId, uint64 finishableFrom);

    /// @notice Returns the resolver, whose `checkDID` decides who controls a DID.
    function resolver() external view returns (IResolver);

    /// @notice Returns the metadata store that this registry created.
    function metadata() external view returns (IAppMetadata);

    /// @notice Creates the record of a service's major version and its token, and stores the metadata JSON.
    /// @dev The caller must control the DID. From the DID's third mint on, at least one day must have passed since its
    /// last one. Emits `AppMinted`, ERC-721 `Transfer`, and `MetadataSet` when `metadataJson` is not empty.
    /// @param did Canonical DID, at most 255 bytes.
    /// @param interfaces Bitmap 1 to 7: 1 Human, 2 API, 4 Contract.
    /// @param dataUrl URL of the metadata JSON, 1 to 2048 bytes.
    /// @param dataHash Hash of the canonical (RFC 8785) metadata JSON, not zero.
    /// @param dataHashAlgorithm 0 keccak256, 1 sha256.
    /// @param fungibleTokenId CAIP-19 id or empty, at most 256 bytes.
    /// @param contractId CAIP-10 id or empty, at most 256 bytes.
    /// @param major At most the DID's latest major version + 1; any for its first record.
    /// @param minor Minor version.
    /// @param patch Patch version.
    /// @param traitHashes At most 20 keccak256 hashes of traits, none zero, none twice.
    /// @param metadataJson The canonical JSON that hashes to `dataHash`, at most 24,575 bytes, or empty.
    /// @return tokenId The new token: 1, 2, 3 …
    function mint(
        string calldata did,
        uint16 interfaces,
        string calldata dataUrl,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        string calldata fungibleTokenId,
        string calldata contractId,
        uint8 major,
        uint8 minor,
        uint8 patch,
        bytes32[] calldata traitHashes,
        string calldata metadataJson
    ) external returns (uint256 tokenId);

    /// @notice Publishes a new minor or patch version of a record.
    /// @dev Emits `AppUpdated`, ERC-4906 `MetadataUpdate` when dataUrl or dataHash changes, and `MetadataSet`
    /// when `metadataJson` is not empty. Works in every status. Ends all reclaims of the record.
    /// @param did Canonical DID.
    /// @param major Major version of the record.
    /// @param dataUrl New URL, or empty to keep it.
    /// @param dataHash Hash of this version's canonical metadata JSON; may be the current one.
    /// @param dataHashAlgorithm 0 keccak256, 1 sha256.
    /// @param interfaces New bitmap, or 0 to keep it. It must include the current one, and needs a higher minor
    /// version.
    /// @param traitHashes New trait hashes, or empty to keep them.
    /// @param minor New minor version; (minor, patch) must be greater than the current pair. The first update after a
    /// finished reclaim may set a lower pair that the record never had.
    /// @param patch New patch version.
    /// @param metadataJson The canonical JSON that hashes to `dataHash`, or empty.
    function updateAppControlled(
        string calldata did,
        uint8 major,
        string calldata dataUrl,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        uint16 interfaces,
        bytes32[] calldata traitHashes,
        uint8 minor,
        uint8 patch,
        string calldata metadataJson
    ) external;

    /// @notice Changes the status of a record: 0 Active, 1 Deprecated, 2 Replaced.
    /// @dev A controller of the DID may set Deprecated and Replaced even if it is neither minter nor holder. A change
    /// by the minter, the holder or its operators ends all reclaims of the record.
    function updateStatus(string calldata did, uint8 major, uint8 newStatus) external;

    /// @notice Stores the JSON of a record's current version again, as the DID's latest JSON. Ends all reclaims of the
    /// record.
    /// @param did Canonical DID.
    /// @param major Major version of the record.
    /// @param metadataJson JSON that hashes to the record's dataHash, not empty.
    function republishMetadata(string calldata did, uint8 major, string calldata metadataJson) external;

    /// @notice Opens the caller's reclaim of a record whose minter and holder no longer control the DID.
    /// @dev The caller must control the DID. The minter and the holder, except the caller, must not resist the reclaim
    /// (the resolver's `resistsReclaim`). The minter does not resist if the caller is the holder, or if the minter's
    /// part has ended. Each claimant has at most one open reclaim of a record. Reverts with `AppNotFound`,
    /// `NotController`, `ReclaimContested` or `ReclaimAlreadyOpen`.
    function openReclaim(string calldata did, uint8 major) external;

    /// @notice Moves the token to the caller, 30 to 60 days after it opened its reclaim. Then the reclaim expires.
    /// @dev The caller must control the DID, and neither minter nor holder, the caller aside, may resist it (the
    /// resolver's `resistsReclaim`). The minter does not resist if the caller was the holder when it opened the reclaim
    /// and is the holder now, or if the minter's part has ended. Afterwards the minter has no part in the record unless
    /// it is the caller: it can't change the record, resists no reclaim and ends none. The record's next version may be
    /// lower than the current one. Reverts with `AppNotFound`, `ReclaimNotOpen`, `ReclaimNotFinishable`,
    /// `NotController` or `ReclaimContested`.
    function finishReclaim(string calldata did, uint8 major) external;

    /// @notice Ends all reclaims of a record that are open, the caller's own too. Every update, republication and
    /// status change by the same accounts does it as well. A reclaim that is opened afterwards is open, in the same
    /// second too.
    /// @dev Only the minter, the holder and the holder's operators may call this, while this minter or holder controls
    /// the DID. An act that rests on the minter alone does not end a reclaim whose claimant is the holder when it opens
    /// and when it finishes. Reverts with `AppNotFound`, `NotAuthorized` or `NotController`.
    function dismissReclaims(string calldata did, uint8 major) external;

    /// @notice Returns a record with its whole version history. The gas grows with the history: contracts should use
    /// `getAppSummary`.
    function getApp(string calldata did, uint8 major) external view returns (App memory);

    /// @notice Returns the record of a token, with its whole version history.
    function getAppByTokenId(uint256 tokenId) external view returns (App memory);

    /// @notice Returns a record without its version history.
    function getAppSummary(string calldata did, uint8 major) external view returns (AppSummary memory);

    /// @notice Returns the token id of a DID and major version, or 0 if no such record exists.
    function tokenIdOf(string calldata did, uint8 major) external view returns (uint256 tokenId);

    /// @notice Returns the highest major version of a DID. Reverts with `AppNotFound(didHash, 0)` if the DID has no
    /// record.
    function latestMajor(bytes32 didHash) external view returns (uint8 major);

    /// @notice Returns a page of a record's versions, oldest first.
    /// @param did Canonical DID.
    /// @param major Major version of the record.
    /// @param cursor Number of versions already read; 0 to start.
    /// @param limit 1 to 100.
    /// @return page Versions from `cursor` on.
    /// @return nextCursor Cursor of the next page, or 0 when this is the last.
    function getVersionHistory(
        string calldata did,
        uint8 major,
        uint256 cursor,
        uint256 limit
    ) external view returns (Version[] memory page, uint256 nextCursor);

    /// @notice Returns true if the record has at least one of `traitHashes`.
    function hasAnyTraits(
        string calldata did,
        uint8 major,
        bytes32[] calldata traitHashes
    ) external view returns (bool);

    /// @notice Returns true if the record has all of `traitHashes`.
    function hasAllTraits(
        string calldata did,
        uint8 major,
        bytes32[] calldata traitHashes
    ) external view returns (bool);

    /// @notice Returns a page of the records with a status, by token id.
    /// @dev One call scans a limited part of the index, so a page may be short or empty and still have a next cursor.
    /// @param status 0 Active, 1 Deprecated, 2 Replaced.
    /// @param cursor Last token id examined, exclusive; 0 to start.
    /// @param limit 1 to 100.
    /// @return page Records in order of token id.
    /// @return nextCursor Cursor of the next page, or 0 when this is the last.
    function getAppsByStatus(
        uint8 status,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor);

    /// @notice Returns a page of the records that an account holds, by token id, in any status.
    function getAppsByOwner(
        address owner,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor);

    /// @notice Returns a page of the Active records that match an interface bitmap, by token id.
    /// @param interfaces Bitmap 1 to 7.
    /// @param matchAll True: the record has every bit of `interfaces`. False: at least one.
    /// @param cursor Last token id examined, exclusive; 0 to start.
    /// @param limit 1 to 100.
    function getAppsByInterface(
        uint16 interfaces,
        bool matchAll,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor);

    /// @notice Returns the order that the next version of a record must follow. Reverts with `AppNotFound`.
    function versionOrder(string calldata did, uint8 major) external view returns (VersionOrder);

    /// @notice Returns true if another account than the minter finished the record's last reclaim, so that the minter
    /// has no part in it. Reverts with `AppNotFound`.
    function hasMinterLost(string calldata did, uint8 major) external view returns (bool);

    /// @notice Returns the number of tokens.
    function totalSupply() external view returns (uint256);

    /// @notice Returns the token id at an index, 0 to totalSupply() - 1.
    function tokenByIndex(uint256 index) external view returns (uint256 tokenId);

    /// @notice Returns the number of records with a status.
    function countByStatus(uint8 status) external view returns (uint256);

    /// @notice Returns a claimant's open reclaim of a record; all zero if the claimant has no reclaim, or it has
    /// expired or was dismissed.
    function getReclaim(
        string calldata did,
        uint8 major,
        address claimant
    ) external view returns (Reclaim memory);
}
