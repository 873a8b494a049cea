import MediaCore

/// The presence on a channel: the push or the slate that is shown, the pushes that wait for it, and since when nobody
/// has it.
///
/// A state machine without clock, timers and locks. Each event is one step, so that two publishers never have the
/// channel at the same time and a third cannot get in between, and returns what its owner has to do.
struct ChannelPresence<Push: PresentPush>: Sendable {
    /// A time without a publisher, with or without a slate.
    struct Absence: Sendable, Hashable {
        /// The time at which the last publisher left; `nil` if an operator has ended the slate for this absence.
        var lostAt: WallClockTime?
        /// True if viewers wait for the publisher; false if it ended its push properly, or if they have waited too
        /// long.
        var isInterrupted: Bool
        /// True while the timer of the loss policy runs.
        var isGracePeriod = false
    }

    enum Airtime: Sendable {
        /// Nobody has the channel.
        ///
        /// - Parameter absence: `nil` if no publisher has been there since the start.
        case vacant(Absence?)
        /// A publisher has the channel, and its media has not begun. The channel still looks as it did before.
        case announced(Push, before: ChannelStatus.State)
        case live(Push)
        /// The slate is shown. A publisher takes the channel from it at once.
        case slate(Push, Absence)
    }

    /// The channel's readiness to admit publishers.
    enum Access: Sendable {
        case open
        /// The server is shutting down.
        case closed
        /// The channel is no longer in `channels.json`: its playlists end when its push has ended.
        case retired
    }

    private(set) var airtime = Airtime.vacant(nil)
    /// The pushes that wait, in the order of their admission. Empty if no push is shown.
    private(set) var waiting: [Push] = []
    /// The time of the last change of ``status``; `nil` before the first one.
    private(set) var since: WallClockTime?
    private(set) var access = Access.open
    /// True if another publisher takes over as soon as the shown push has ended.
    private var isBeingReplaced = false

    /// Creates the presence on a channel to which nobody has pushed.
    ///
    /// - Parameter since: the end of the media from before a restart; `nil` if there is none.
    init(since: WallClockTime? = nil) { self.since = since }

    // MARK: Questions

    /// The push or the slate that is shown; `nil` if there is none.
    var shown: Push? {
        switch airtime {
        case .vacant: nil
        case .announced(let push, _), .live(let push), .slate(let push, _): push
        }
    }

    /// The state for operators and viewers.
    var status: ChannelStatus.State {
        switch airtime {
        case .vacant(let absence): absence?.isInterrupted == true ? .interrupted : .idle
        case .announced(_, let before): before
        case .live: .live
        case .slate: .interrupted
        }
    }

    var isVacant: Bool { if case .vacant = airtime { true } else { false } }
    var isSlate: Bool { if case .slate = airtime { true } else { false } }

    /// The time at which the last publisher left; `nil` if there is a publisher, a slate, or no reason for one.
    var lostAt: WallClockTime? { absenceOnVacantChannel?.lostAt }

    /// The time at which the last publisher left, if it is time to show a slate; otherwise `nil`.
    var slateIsDueSince: WallClockTime? {
        guard let absence = absenceOnVacantChannel, !absence.isGracePeriod else { return nil }
        return absence.lostAt
    }

    private var absenceOnVacantChannel: Absence? {
        guard access == .open, case .vacant(let absence) = airtime else { return nil }
        return absence
    }

    // MARK: Publishers

    /// The reason to refuse a publisher that wants the channel now.
    enum Refusal: Sendable {
        case closed
        /// - Parameter holder: the push that has the channel, or will have it.
        case busy(holder: Push)
    }

    /// The decision about a publisher that wants the channel.
    enum Admission: Sendable {
        /// The push has the channel.
        case shown
        /// The push waits.
        ///
        /// - Parameter displaced: the pushes that have to be ended to make room for it.
        case waits(displaced: [Push])
        case refused(Refusal)
    }

    /// The reason for which a publisher would be refused now; `nil` if it would be admitted.
    ///
    /// - Parameter maximumWaitingCount: the limit on waiting pushes, if they queue.
    func refusal(policy: PublishingPolicy.SecondPublisher, maximumWaitingCount: Int) -> Refusal? {
        guard access == .open else { return .closed }
        // A publisher waits for a slate only until the slate has ended.
        guard let holder = isSlate ? waiting.first : shown else { return nil }
        let hasRoom =
            switch policy {
            case .refuse: false
            case .takeOver: true
            case .queue: waiting.count < maximumWaitingCount
            }
        return hasRoom ? nil : .busy(holder: holder)
    }

    /// Decides about a publisher.
    mutating func admit(
        _ push: Push, policy: PublishingPolicy.SecondPublisher, maximumWaitingCount: Int
    ) -> Admission {
        if let refusal = refusal(policy: policy, maximumWaitingCount: maximumWaitingCount) { return .refused(refusal) }
        guard let running = shown else {
            airtime = .announced(push, before: status)
            return .shown
        }
        guard policy == .takeOver || isSlate && waiting.isEmpty else {
            waiting.append(push)
            return .waits(displaced: [])
        }
        // The running push's last segment and the new one's first do not overlap: the new push starts when the running
        // one has ended on its own loop, and the place is taken from now on.
        let displaced = waiting + (isBeingReplaced ? [] : [running])
        waiting = [push]
        isBeingReplaced = true
        return .waits(displaced: displaced)
    }

    /// The media of the shown push begins. Does nothing for a slate.
    mutating func mediaBegins(now: WallClockTime) {
        switch airtime {
        case .announced(let push, _), .live(let push):
            airtime = .live(push)
            since = now
        case .slate, .vacant: break
        }
    }

    /// The outcome of a push's end, which says what the owner has to do.
    enum Ending: Sendable {
        /// The push waited, or is not known.
        case wasNotShown
        /// This push has the channel now. It is announced; its publisher has to be told.
        case next(Push)
        /// Nobody has the channel.
        ///
        /// - Parameter wasSlate: true if it was a slate that ended, so that the publisher's absence continues; false if
        ///   it begins.
        case absent(wasSlate: Bool)
        /// The channel has been retired: its playlists end.
        case forGood
    }

    /// A push has ended.
    ///
    /// - Parameters:
    ///   - isInterruption: true if viewers wait for the publisher, because it did not end the push properly and there
    ///     is media to wait at.
    ///   - prepare: changes the push that is shown next.
    mutating func ended(
        _ identifier: String, isInterruption: Bool, now: WallClockTime, prepareNext prepare: (inout Push) -> Void
    ) -> Ending {
        guard shown?.identifier == identifier else {
            waiting.removeAll { $0.identifier == identifier }
            return .wasNotShown
        }
        isBeingReplaced = false
        let wasSlate = isSlate
        guard access != .retired else {
            endForGood(now: now)
            return .forGood
        }
        // If it was a slate that ended, the publisher's absence continues.
        if case .slate(_, let absence) = airtime {
            airtime = .vacant(absence)
        } else {
            airtime = .vacant(Absence(lostAt: now, isInterrupted: isInterruption))
        }
        since = now
        guard !waiting.isEmpty else { return .absent(wasSlate: wasSlate) }
        var next = waiting.removeFirst()
        prepare(&next)
        airtime = .announced(next, before: status)
        return .next(next)
    }

    /// Changes a push, whether it is shown or waits. Does nothing if the push has ended.
    mutating func update(_ identifier: String, _ change: (inout Push) -> Void) {
        if shown?.identifier == identifier {
            updateShown(change)
        } else if let index = waiting.firstIndex(where: { $0.identifier == identifier }) {
            change(&waiting[index])
        }
    }

    /// Changes the push or the slate that is shown.
    mutating func updateShown(_ change: (inout Push) -> Void) {
        // The push is taken out meanwhile, so that changing its arrays does not copy them.
        let current = airtime
        airtime = .vacant(nil)
        switch consume current {
        case .vacant(let absence): airtime = .vacant(absence)
        case .announced(var push, let before):
            change(&push)
            airtime = .announced(push, before: before)
        case .live(var push):
            change(&push)
            airtime = .live(push)
        case .slate(var push, let absence):
            change(&push)
            airtime = .slate(push, absence)
        }
    }

    // MARK: Absence

    /// The timer of the loss policy starts.
    ///
    /// - Returns: the time at which the publisher left, which identifies the absence; `nil` if there is no absence, so
    ///   that no timer is needed.
    mutating func graceBegins() -> WallClockTime? {
        guard let lostAt else { return nil }
        updateAbsence { $0.isGracePeriod = true }
        return lostAt
    }

    /// There is no timer any more; the policy has changed.
    mutating func graceIsCancelled() { updateAbsence { $0.isGracePeriod = false } }

    /// The timer has fired.
    ///
    /// - Parameter lostAt: the absence for which the timer was started.
    /// - Returns: whether that absence still lasts.
    mutating func graceEnded(lostAt: WallClockTime) -> Bool {
        guard case .vacant(let absence?) = airtime, absence.lostAt == lostAt else { return false }
        updateAbsence { $0.isGracePeriod = false }
        return true
    }

    /// Viewers no longer wait for the publisher.
    mutating func waitingIsOver(at time: WallClockTime) {
        guard isVacant else { return }
        updateAbsence { $0.isInterrupted = false }
        since = time
    }

    private mutating func updateAbsence(_ change: (inout Absence) -> Void) {
        switch airtime {
        case .vacant(var absence?):
            change(&absence)
            airtime = .vacant(absence)
        case .slate(let push, var absence):
            change(&absence)
            airtime = .slate(push, absence)
        case .vacant, .announced, .live: break
        }
    }

    // MARK: Slate

    /// Shows a slate.
    ///
    /// - Returns: false, without any effect, if it is not due any more.
    mutating func show(slate: Push) -> Bool {
        guard slateIsDueSince != nil, case .vacant(var absence?) = airtime else { return false }
        absence.isInterrupted = true
        airtime = .slate(slate, absence)
        return true
    }

    /// An operator ends the slate for the whole of this absence. Does nothing if no slate is shown.
    mutating func declineSlate() {
        if isSlate { updateAbsence { $0.lostAt = nil } }
    }

    // MARK: The channel's own end

    /// Admits no more publishers.
    ///
    /// - Parameter access: closed or retired.
    /// - Returns: all pushes, which have to be ended.
    mutating func close(_ access: Access) -> [Push] {
        self.access = access
        updateAbsence { $0.lostAt = nil }
        defer { waiting = [] }
        return [shown].compactMap(\.self) + waiting
    }

    /// Admits publishers again, because the channel is back in `channels.json`.
    ///
    /// - Returns: whether the channel was retired.
    mutating func reopen() -> Bool {
        let wasRetired = access == .retired
        access = .open
        return wasRetired
    }

    /// Nobody has the channel, and nobody will.
    mutating func endForGood(now: WallClockTime) {
        airtime = .vacant(nil)
        since = now
    }
}
