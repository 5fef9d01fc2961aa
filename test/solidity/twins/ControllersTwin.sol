// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {StatementsTwin} from "./StatementsTwin.sol";

/// @dev Who counts, by the rules of docs/control.md.
abstract contract ControllersTwin is StatementsTwin {
    struct PlainChallenge {
        uint256 openedAt;
        uint256 wait;
    }

    mapping(bytes32 didHash => mapping(address incumbent => mapping(address challenger => PlainChallenge)))
        private _challenges;

    function vouchController(bytes32 didHash, address controller) external {
        _actOn(didHash, controller);
        _refuseIf(
            !_countsAlone(didHash, msg.sender),
            abi.encodeWithSelector(VouchedCannotVouch.selector, didHash, msg.sender)
        );
        bool isAttested = _isAttested(didHash, controller);
        _refuseIf(!isAttested, abi.encodeWithSelector(NotAttested.selector, didHash, controller));
        _refuseIf(
            checkDID(didHash, controller),
            abi.encodeWithSelector(NotWaiting.selector, didHash, controller)
        );
        _settle();

        Newcomer storage newcomer = _newcomers[didHash][controller];
        for (uint256 i = 0; i < newcomer.rejections.length; ++i) {
            if (newcomer.rejections[i].author == msg.sender) newcomer.rejections[i] = Word(address(0), 0);
        }
        if (_isRejected(didHash, controller)) revert RejectionStands(didHash, controller);
        newcomer.vouch = Word(msg.sender, block.timestamp);
        emit ControllerVouched(didHash, controller, msg.sender);
    }

    function rejectController(bytes32 didHash, address controller) external {
        _actOn(didHash, controller);
        if (!_isWaiting(didHash, controller)) revert NotWaiting(didHash, controller);
        Word[] storage rejections = _newcomers[didHash][controller].rejections;
        uint256 place = rejections.length;
        for (uint256 i = rejections.length; i > 0; --i) {
            if (!_hasForce(didHash, rejections[i - 1])) place = i - 1;
        }
        for (uint256 i = 0; i < rejections.length; ++i) {
            if (rejections[i].author == msg.sender) place = i;
        }
        if (place == 4) revert TooManyRejections(4);
        if (place == rejections.length) rejections.push();
        rejections[place] = Word(msg.sender, block.timestamp);
        emit ControllerRejected(didHash, controller, msg.sender);
    }

    function challengeDID(bytes32 didHash, address incumbent) external {
        _refuseIf(incumbent == msg.sender, abi.encodeWithSelector(SelfReference.selector, msg.sender));
        _refuseIfNotAttested(didHash, msg.sender);
        _refuseIfNotAttested(didHash, incumbent);
        _refuseIf(
            getChallenge(didHash, incumbent, msg.sender).voidFrom != 0,
            abi.encodeWithSelector(ChallengeAlreadyOpen.selector, didHash, incumbent, msg.sender)
        );
        _settle();
        _challenges[didHash][incumbent][msg.sender] = PlainChallenge(block.timestamp, maturation);
        uint64 from = uint64(block.timestamp) + maturation;
        emit DIDChallenged(didHash, incumbent, msg.sender, from, from + maturation);
    }

    function resolveChallenge(bytes32 didHash, address incumbent, address challenger) external {
        ChallengeView memory challenge = getChallenge(didHash, incumbent, challenger);
        if (challenge.openedAt == 0) revert ChallengeNotOpen(didHash, incumbent, challenger);
        if (block.timestamp < challenge.resolvableFrom) {
            revert ChallengeNotResolvable(challenge.resolvableFrom);
        }
        delete _challenges[didHash][incumbent][challenger];
        uint256 score = ownershipScore(didHash, challenger);
        uint256 attestations = _countLive(didHash, incumbent, 0);
        if (score > attestations) _oust(didHash, incumbent);
        emit ChallengeResolved(didHash, incumbent, challenger, score > attestations, score, attestations);
    }

    function getController(
        bytes32 didHash,
        address controller
    ) external view returns (ControllerView memory) {
        uint256 since = _newcomers[didHash][controller].since;
        bool isVouched = _isVouchedFor(didHash, controller);
        return
            ControllerView({
                counts: checkDID(didHash, controller),
                attested: _isAttested(didHash, controller),
                first: controller != address(0) && firstController[didHash] == controller,
                countsFrom: since == 0 ? 0 : uint64(since) + maturation,
                rejected: _isRejected(didHash, controller),
                voucher: isVouched ? _newcomers[didHash][controller].vouch.author : address(0)
            });
    }

    function checkDID(bytes32 didHash, address controller) public view returns (bool) {
        if (!_isAttested(didHash, controller)) return false;
        if (firstController[didHash] == controller) return true;
        if (_isRejected(didHash, controller)) return false;
        return _hasWaited(didHash, controller) || _isVouchedFor(didHash, controller);
    }

    function ownershipScore(bytes32 didHash, address controller) public view returns (uint256) {
        return _countLive(didHash, controller, maturation);
    }

    function getChallenge(
        bytes32 didHash,
        address incumbent,
        address challenger
    ) public view returns (ChallengeView memory challenge) {
        PlainChallenge memory plain = _challenges[didHash][incumbent][challenger];
        uint256 voidFrom = plain.openedAt + 2 * plain.wait;
        if (block.timestamp >= voidFrom) return challenge;
        return ChallengeView(uint64(plain.openedAt), uint64(plain.openedAt + plain.wait), uint64(voidFrom));
    }

    /// @dev An author that counts is under no rejection with force; those that are kept of it are over.
    function _actOn(bytes32 didHash, address controller) private {
        _refuseIf(controller == msg.sender, abi.encodeWithSelector(SelfReference.selector, msg.sender));
        _refuseIf(
            !checkDID(didHash, msg.sender),
            abi.encodeWithSelector(NotController.selector, didHash, msg.sender)
        );
        _settle();
        delete _newcomers[didHash][msg.sender].rejections;
    }

    function _refuseIfNotAttested(bytes32 didHash, address account) private {
        _refuseIf(
            !_isAttested(didHash, account),
            abi.encodeWithSelector(NotAttested.selector, didHash, account)
        );
    }

    function _hasWaited(bytes32 didHash, address controller) private view returns (bool) {
        uint256 since = _newcomers[didHash][controller].since;
        return since != 0 && block.timestamp - since >= maturation;
    }

    function _isWaiting(bytes32 didHash, address controller) private view returns (bool) {
        if (_newcomers[didHash][controller].since == 0) return false;
        if (!_hasWaited(didHash, controller)) return !checkDID(didHash, controller);
        return _isAttested(didHash, controller) && _isRejected(didHash, controller);
    }

    function _isVouchedFor(bytes32 didHash, address controller) private view returns (bool) {
        Word memory vouch = _newcomers[didHash][controller].vouch;
        return
            vouch.author != address(0) &&
            _hasLiveSince(didHash, controller, vouch.time) &&
            _newcomers[didHash][vouch.author].restartedAt < vouch.time &&
            _countsAlone(didHash, vouch.author);
    }

    function _isRejected(bytes32 didHash, address controller) private view returns (bool) {
        Word[] memory rejections = _newcomers[didHash][controller].rejections;
        for (uint256 i = 0; i < rejections.length; ++i) {
            if (_hasForce(didHash, rejections[i])) return true;
        }
        return false;
    }

    /// @dev A rejection has force while its author counts, without a rejection of its own to look behind.
    function _hasForce(bytes32 didHash, Word memory rejection) private view returns (bool) {
        address author = rejection.author;
        if (author == address(0) || _newcomers[didHash][author].restartedAt >= rejection.time) return false;
        if (_countsAlone(didHash, author)) return true;
        return _newcomers[didHash][author].rejections.length == 0 && _isVouchedFor(didHash, author);
    }

    /// @dev Whether it counts without a vouch and without looking behind the rejections of it.
    function _countsAlone(bytes32 didHash, address controller) private view returns (bool) {
        if (!_isAttested(didHash, controller)) return false;
        if (firstController[didHash] == controller) return true;
        return _newcomers[didHash][controller].rejections.length == 0 && _hasWaited(didHash, controller);
    }
}
