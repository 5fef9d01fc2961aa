// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Metadata store of the App Registry
/// @notice Stores the latest metadata JSON of each DID. One storage slot per DID points to a contract whose code is
/// the JSON. Older JSONs stay readable at the `pointer` of their `MetadataSet` event.
interface IAppMetadata {
    /// @notice A JSON was stored for one version of a service.
    /// @param didHash keccak256 of the UTF-8 bytes of the canonical DID.
    /// @param did The canonical DID.
    /// @param major Major version, 0 to 255.
    /// @param minor Minor version, 0 to 255.
    /// @param patch Patch version, 0 to 255.
    /// @param hash The dataHash of the version, under the version's dataHashAlgorithm.
    /// @param timestamp Unix time of the block, in seconds.
    /// @param pointer Contract whose code is one zero byte followed by the UTF-8 bytes of the JSON.
    /// @param isLatest True if this JSON is now the DID's latest, which `getMetadata` returns.
    event MetadataSet(
        bytes32 indexed didHash,
        string did,
        uint8 major,
        uint8 minor,
        uint8 patch,
        bytes32 hash,
        uint64 timestamp,
        address pointer,
        bool isLatest
    );

    /// @notice The caller is not the registry that created this store.
    error OnlyRegistry(address caller);

    /// @notice The JSON doesn't fit in one contract's code. Host it at dataUrl instead.
    /// @param size Bytes given.
    /// @param max Bytes allowed.
    error MetadataTooLarge(uint256 size, uint256 max);

    /// @notice Returns the registry, the only account that may store JSON.
    function registry() external view returns (address);

    /// @notice Returns the size of the largest JSON that can be stored, in bytes.
    // solhint-disable-next-line func-name-mixedcase
    function MAX_METADATA_SIZE() external view returns (uint256);

    /// @notice Stores `json` for one version. It becomes the DID's latest JSON, unless the stored one belongs to a
    /// higher major version.
    /// @dev Reverts with `OnlyRegistry` or `MetadataTooLarge`.
    /// @param did The canonical DID.
    /// @param didHash keccak256 of `did`.
    /// @param major Major version.
    /// @param minor Minor version.
    /// @param patch Patch version.
    /// @param dataHash Hash of `json`, already checked by the registry.
    /// @param dataHashAlgorithm Its algorithm: 0 keccak256, 1 sha256.
    /// @param json The canonical (RFC 8785) JSON text.
    /// @param force True to replace the latest JSON even if it belongs to a higher major version.
    /// @return pointer Contract that holds the JSON.
    function setMetadata(
        string calldata did,
        bytes32 didHash,
        uint8 major,
        uint8 minor,
        uint8 patch,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        string calldata json,
        bool force
    ) external returns (address pointer);

    /// @notice Returns the latest JSON of a DID; empty if none is stored.
    function getMetadataJson(string calldata did) external view returns (string memory json);

    /// @notice Returns the latest JSON of a DID and its version; all zero if none is stored.
    /// @param did The canonical DID.
    /// @return json The canonical JSON text.
    /// @return major Major version.
    /// @return minor Minor version.
    /// @return patch Patch version.
    /// @return hash The dataHash recorded for that version.
    /// @return timestamp Time at which the JSON was stored, Unix seconds.
    function getMetadata(
        string calldata did
    )
        external
        view
        returns (string memory json, uint8 major, uint8 minor, uint8 patch, bytes32 hash, uint64 timestamp);
}
