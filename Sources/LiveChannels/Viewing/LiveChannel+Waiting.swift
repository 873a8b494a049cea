import MediaCore
package import NIOCore
package import Packaging

extension LiveChannel {
    /// Viewers whose requests a channel holds at once; the next ones are told to come again.
    package static let maximumWaiterCount = 10_000

    /// Waits for a channel that is live, or about to be.
    ///
    /// - Parameter identifier: unique among the waiting; for ``stopWaiting(_:)``.
    /// - Returns: whether the moment has come; false at once where nobody pushes and nothing is there to wait for.
    package func wait(
        for moment: LiveMoment, identifier: Int, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        let promise = eventLoop.makePromise(of: Bool.self)
        // Before it waits, so that the publisher's next packets find it.
        if moment.isAwaitedForLatency { promptness.note(now: eventLoop.now) }
        let answer: Bool? = withState { state in
            if state.window.hasCome(moment) { return true }
            if !state.mayCome(moment) || state.waiters.count >= Self.maximumWaiterCount { return false }
            state.waiters.append(identifier, for: moment, promise: promise)
            return nil
        }
        if let answer { promise.succeed(answer) }
        return promise.futureResult
    }

    package var heldRequestCount: Int { withState { $0.waiters.count } }

    /// The viewer went away, or has waited long enough.
    package func stopWaiting(_ identifier: Int) {
        let promise = withState { $0.waiters.remove(identifier) }
        promise?.succeed(false)
    }
}

extension LiveMoment {
    /// A viewer who waits for a whole segment loses nothing by a few milliseconds.
    fileprivate var isAwaitedForLatency: Bool {
        switch self {
        case .firstPart, .part: true
        case .position(let position, _): position.part != nil
        case .firstSegment: false
        }
    }
}

extension LiveChannel.State {
    /// A channel that has lost its publisher may get it back while a player waits; a part of a push that has ended will
    /// never be.
    func mayCome(_ moment: LiveMoment) -> Bool {
        switch moment {
        case .firstPart, .firstSegment: epoch != nil
        case .position: epoch != nil || window.isPlayable
        case .part(let address): window.mayCome(address)
        }
    }

    /// Those who wait for more of a window that has ended: they are told so when they ask again.
    mutating func takeWaitersOfFormerWindow() -> ReleasedWaiters {
        var waiting = ViewerWaiters()
        swap(&waiting, &waiters)
        defer { waiters = waiting }
        return waiting.take { moment in
            switch moment {
            case .firstPart, .firstSegment: nil
            case .position: true
            case .part: false
            }
        }
    }

    /// Those that the newest events have answered, and those whose part will not come any more.
    mutating func takeAnsweredWaiters() -> ReleasedWaiters {
        // Taken out meanwhile, because it would be copied with the rest of the state.
        var waiting = ViewerWaiters()
        swap(&waiting, &waiters)
        defer { waiters = waiting }
        return waiting.take { moment in
            if window.hasCome(moment) { return true }
            return mayCome(moment) ? nil : false
        }
    }
}

extension LiveWindow {
    func hasCome(_ moment: LiveMoment) -> Bool {
        switch moment {
        case .firstPart: isPlayable
        // One that the channel does not have need not be waited for.
        case .firstSegment(let name):
            isPlayable && listsSegments(named: name)
        // Nothing comes after the end; the playlist says so.
        case .position(let position, let name):
            hasEnded || rendition(named: name[...])?.hasReached(position) ?? isPlayable
        case .part(let address): part(at: address) != nil
        }
    }

    /// Whether that playlist has a segment, if the channel has the playlist at all.
    func listsSegments(named name: String) -> Bool {
        switch name {
        case Self.transportStreamName: listsTransportStreamSegments
        case Self.iFramesName: renditions.first { $0.mediaType == .video }.map { !$0.listed.isEmpty } ?? true
        default: rendition(named: name[...]).map { !$0.listed.isEmpty } ?? true
        }
    }

    package func part(at address: LivePartAddress) -> PartialSegment? {
        rendition(named: address.rendition[...])?.part(
            mediaSequence: address.mediaSequence, index: address.index, epoch: address.epoch[...])
    }

    /// Whether the part is the one that is being built, or the first of the segment behind it: the only ones that a
    /// playlist hints at.
    func mayCome(_ address: LivePartAddress) -> Bool {
        guard growingEpoch != nil, let rendition = rendition(named: address.rendition[...]),
            let edge = rendition.edge, rendition.newestEpoch == address.epoch
        else { return false }
        if let open = rendition.openSegment, open.heading.mediaSequence == address.mediaSequence {
            return address.index == open.parts.count
        }
        return address.mediaSequence == edge.mediaSequence + 1 && address.index == 0
    }
}
