// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Act, ActLibrary} from "./Act.sol";
import {ControllerRecord, DIDRecord} from "./DIDRecord.sol";
import {IssuerEpochs} from "./IssuerEpochs.sol";

/// @title Who counts as a controller of a DID
/// @notice An attested controller counts when it is the DID's first; or when it is not rejected and has either
/// waited or is vouched for.
/// @dev A vouch or a rejection has force while its author counts and has not been revoked or ousted since. To keep
/// that question from running in circles, an author under a rejection itself has no force, and an author that
/// counts by a vouch has force only while its voucher counts without one. So every answer looks at most at the
/// rejecters of a controller and at the voucher of each. An author sheds rejections that have lost their force when it acts.
library DIDControl {
    /// @notice Rejections that are kept of one newcomer.
    uint256 internal constant MAX_REJECTIONS = 4;

    /// @notice Whether `controller` counts.
    function counts(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs,
        uint256 maturation
    ) internal view returns (bool) {
        if (!self.isAttested(controller, epochs)) return false;
        if (self.isFirst(controller)) return true;
        return
            (hasWaited(self, controller, maturation) || isVouchedFor(self, controller, epochs, maturation)) &&
            !isRejected(self, controller, epochs, maturation);
    }

    /// @notice Whether `controller` has waited `maturation` since its first record.
    function hasWaited(
        DIDRecord storage self,
        address controller,
        uint256 maturation
    ) internal view returns (bool) {
        uint256 since = self.recordOf(controller).standing.since;
        return since != 0 && block.timestamp >= since + maturation;
    }

    /// @notice Whether a vouch for `controller` holds: an attestation that was live when it was given still is, and
    /// the voucher has force.
    function isVouchedFor(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs,
        uint256 maturation
    ) internal view returns (bool) {
        ControllerRecord storage record = self.recordOf(controller);
        Act vouch_ = record.vouch;
        return
            record.lanes.anyLive(epochs, vouch_.actedAt()) &&
            _isSteadySince(self, vouch_) &&
            _countsAlone(self, vouch_.author(), epochs, maturation);
    }

    /// @notice Whether a rejection of `controller` has force.
    function isRejected(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs,
        uint256 maturation
    ) internal view returns (bool) {
        Act[] storage rejections = self.recordOf(controller).rejections;
        for (uint256 i = 0; i < rejections.length; ++i) {
            if (_hasForce(self, rejections[i], epochs, maturation)) return true;
        }
        return false;
    }

    /// @notice Why `controller` counts, or does not.
    function describe(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs,
        uint256 maturation
    ) internal view returns (IResolver.ControllerView memory why) {
        ControllerRecord storage record = self.recordOf(controller);
        why.counts = counts(self, controller, epochs, maturation);
        why.attested = self.isAttested(controller, epochs);
        why.first = controller != address(0) && self.isFirst(controller);
        uint256 since = record.standing.since;
        if (since != 0) why.countsFrom = uint64(since + maturation);
        why.rejected = isRejected(self, controller, epochs, maturation);
        if (isVouchedFor(self, controller, epochs, maturation)) why.voucher = record.vouch.author();
    }

    /// @notice Records the word of `voucher` for `controller`; a rejection by the same voucher is withdrawn.
    /// @dev Reverts with `SelfReference`, `NotController`, `VouchedCannotVouch`, `NotAttested`, `NotWaiting` or
    /// `RejectionStands`.
    function vouch(
        DIDRecord storage self,
        bytes32 didHash,
        address controller,
        address voucher,
        IssuerEpochs epochs,
        uint256 maturation
    ) internal {
        _act(self, didHash, controller, voucher, epochs, maturation);
        if (!_countsAlone(self, voucher, epochs, maturation)) {
            revert IResolver.VouchedCannotVouch(didHash, voucher);
        }
        self.requireAttested(didHash, controller, epochs);
        if (counts(self, controller, epochs, maturation)) revert IResolver.NotWaiting(didHash, controller);

        ControllerRecord storage record = self.recordOf(controller);
        for (uint256 i = 0; i < record.rejections.length; ++i) {
            if (record.rejections[i].author() == voucher) record.rejections[i] = Act.wrap(0);
        }
        if (isRejected(self, controller, epochs, maturation)) {
            revert IResolver.RejectionStands(didHash, controller);
        }
        record.vouch = ActLibrary.by(voucher);
    }

    /// @notice Records the word of `rejecter` against the waiting `controller`, in the place of its earlier one or
    /// of one that has lost its force.
    /// @dev Reverts with `SelfReference`, `NotController`, `NotWaiting` or `TooManyRejections`.
    function reject(
        DIDRecord storage self,
        bytes32 didHash,
        address controller,
        address rejecter,
        IssuerEpochs epochs,
        uint256 maturation
    ) internal {
        _act(self, didHash, controller, rejecter, epochs, maturation);
        if (!_isWaiting(self, controller, epochs, maturation)) {
            revert IResolver.NotWaiting(didHash, controller);
        }
        Act[] storage rejections = self.recordOf(controller).rejections;
        uint256 place = _placeFor(self, rejections, rejecter, epochs, maturation);
        if (place == MAX_REJECTIONS) revert IResolver.TooManyRejections(MAX_REJECTIONS);
        if (place == rejections.length) rejections.push();
        rejections[place] = ActLibrary.by(rejecter);
    }

    /// @dev What every act asks of its author; one that counts is under no rejection with force, so those are over.
    function _act(
        DIDRecord storage self,
        bytes32 didHash,
        address controller,
        address author,
        IssuerEpochs epochs,
        uint256 maturation
    ) private {
        if (controller == author) revert IResolver.SelfReference(author);
        if (!counts(self, author, epochs, maturation)) revert IResolver.NotController(didHash, author);
        if (self.recordOf(author).rejections.length != 0) delete self.recordOf(author).rejections;
    }

    /// @dev A newcomer waits from its first record on, attested or not: were only an attested one waiting, a rogue
    /// issuer could attest it for a second, and again when the wait is over.
    function _isWaiting(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs,
        uint256 maturation
    ) private view returns (bool) {
        if (self.recordOf(controller).standing.since == 0) return false;
        if (!hasWaited(self, controller, maturation)) return !counts(self, controller, epochs, maturation);
        return self.isAttested(controller, epochs) && isRejected(self, controller, epochs, maturation);
    }

    function _placeFor(
        DIDRecord storage self,
        Act[] storage rejections,
        address rejecter,
        IssuerEpochs epochs,
        uint256 maturation
    ) private view returns (uint256 place) {
        uint256 length = rejections.length;
        place = length;
        for (uint256 i = 0; i < length; ++i) {
            if (rejections[i].author() == rejecter) return i;
            if (place == length && !_hasForce(self, rejections[i], epochs, maturation)) place = i;
        }
    }

    function _hasForce(
        DIDRecord storage self,
        Act rejection,
        IssuerEpochs epochs,
        uint256 maturation
    ) private view returns (bool) {
        address rejecter = rejection.author();
        return
            _isSteadySince(self, rejection) &&
            (_countsAlone(self, rejecter, epochs, maturation) ||
                (self.recordOf(rejecter).rejections.length == 0 &&
                    isVouchedFor(self, rejecter, epochs, maturation)));
    }

    /// @dev Counts without a vouch and without looking behind the rejections of it.
    function _countsAlone(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs,
        uint256 maturation
    ) private view returns (bool) {
        if (!self.isAttested(controller, epochs)) return false;
        if (self.isFirst(controller)) return true;
        return self.recordOf(controller).rejections.length == 0 && hasWaited(self, controller, maturation);
    }

    /// @dev Whether the author of an act has not been revoked or ousted since; false when there is no act. Same
    /// second: the restart is taken to be the later of the two.
    function _isSteadySince(DIDRecord storage self, Act act) private view returns (bool) {
        return self.recordOf(act.author()).standing.restartedAt < act.actedAt();
    }
}
