// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

import {Refusals} from "../support/Refusals.sol";

/// @dev Implements ERC-721 as the standard specifies it, with one mapping for each query.
abstract contract TokenTwin is IERC721Errors, Refusals {
    mapping(uint256 tokenId => address) internal _owners;
    mapping(uint256 tokenId => address) private _approved;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    function approve(address to, uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        bool mayApprove = msg.sender == owner || isApprovedForAll[owner][msg.sender];
        if (!mayApprove) revert ERC721InvalidApprover(msg.sender);
        _approved[tokenId] = to;
        emit Approval(owner, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        if (operator == address(0)) revert ERC721InvalidOperator(operator);
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x49064906;
    }

    function name() external pure returns (string memory) {
        return "App Registry";
    }

    function symbol() external pure returns (string memory) {
        return "APP";
    }

    function balanceOf(address owner) external view returns (uint256 balance) {
        if (owner == address(0)) revert ERC721InvalidOwner(owner);
        for (uint256 id = 1; id <= totalSupply; ++id) if (_owners[id] == owner) ++balance;
    }

    function getApproved(uint256 tokenId) external view returns (address) {
        ownerOf(tokenId);
        return _approved[tokenId];
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        if (to.code.length == 0) return;
        try IERC721Receiver(to).onERC721Received(msg.sender, from, tokenId, data) returns (bytes4 answer) {
            if (answer != IERC721Receiver.onERC721Received.selector) revert ERC721InvalidReceiver(to);
        } catch (bytes memory reason) {
            if (reason.length == 0) revert ERC721InvalidReceiver(to);
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        address owner = _owners[tokenId];
        bool mayMove =
            msg.sender == owner || isApprovedForAll[owner][msg.sender] || _approved[tokenId] == msg.sender;
        bytes4 none = ERC721NonexistentToken.selector;
        _refuseIf(owner == address(0), abi.encodeWithSelector(none, tokenId));
        _refuseIf(to == address(0), abi.encodeWithSelector(ERC721InvalidReceiver.selector, to));
        _refuseIf(
            owner != address(0) && !mayMove,
            abi.encodeWithSelector(ERC721InsufficientApproval.selector, msg.sender, tokenId)
        );
        _refuseIf(
            owner != address(0) && owner != from,
            abi.encodeWithSelector(ERC721IncorrectOwner.selector, from, tokenId, owner)
        );
        _revertIfRefused();
        _transfer(to, tokenId);
    }

    function ownerOf(uint256 tokenId) public view returns (address) {
        if (_owners[tokenId] == address(0)) revert ERC721NonexistentToken(tokenId);
        return _owners[tokenId];
    }

    function _transfer(address to, uint256 tokenId) internal {
        emit Transfer(_owners[tokenId], to, tokenId);
        _owners[tokenId] = to;
        _approved[tokenId] = address(0);
    }
}
