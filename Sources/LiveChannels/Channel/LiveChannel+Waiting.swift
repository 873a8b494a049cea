package import MediaCore
package import NIOCore
package import Packaging

extension LiveChannel {
    /// Limit on the held requests of a channel; further ones are told to come again.
    package static let maximumWaiterCount = 10_000

    /// Waits until the channel has what a viewer asks for.
    ///
    /// - Parameters:
    ///   - awaited: what the viewer asks for.
    ///   - identifier: an identifier that is unique among the waiting requests, for ``stopWaiting(_:)``.
    ///   - eventLoop: the event loop on which the result is delivered.
    ///   - deadline: the time on that loop at which the wait ends in any case.
    /// - Returns: whether the channel has it; false at once if no publisher is connected and there is nothing to wait
    ///   for.
    package func wait(
        for awaited: AwaitedMedia, identifier: Int, on eventLoop: any EventLoop,
        until deadline: NIODeadline = .distantFuture
    ) -> EventLoopFuture<Bool> {
        let promise = eventLoop.makePromise(of: Bool.self)
        // Noted before it waits, so that it takes effect for the publisher's next packets.
        expectPromptness(awaited.mediaTypesAwaitedForLatency, now: eventLoop.now)
        let (answer, timer) = withState { state -> (Bool?, NIODeadline?) in
            if state.window.hasCome(awaited) { return (true, nil) }
            if !state.mayCome(awaited) || state.waiters.count >= Self.maximumWaiterCount { return (false, nil) }
            return (nil, state.waiters.append(identifier, for: awaited, until: deadline, promise: promise))
        }
        if let answer { promise.succeed(answer) }
        setTimer(timer, on: eventLoop)
        return promise.futureResult
    }

    /// One timer ends the waits of all viewers: a timer for each would have to be cancelled for each, for which an
    /// event loop looks through all of its timers.
    private func setTimer(_ time: NIODeadline?, on eventLoop: any EventLoop) {
        guard let time else { return }
        eventLoop.scheduleTask(deadline: time) { [weak self] in
            guard let self else { return }
            let (released, next) = withState { $0.waiters.timerFired(time, now: eventLoop.now) }
            released.answer()
            setTimer(next, on: eventLoop)
        }
    }

    /// The number of requests that wait for media.
    package var heldRequestCount: Int { withState { $0.waiters.count } }

    /// Stops a wait, because the viewer has left, or has waited long enough.
    package func stopWaiting(_ identifier: Int) {
        let promise = withState { $0.waiters.remove(identifier) }
        promise?.succeed(false)
    }

    /// The time from which a track's packets should be handled as they arrive, because a viewer waits for parts or an
    /// RTSP reader gets the packets; `nil` while that does not matter to anybody.
    package func promptTime(_ mediaType: MediaType, now: NIODeadline) -> NIODeadline? {
        fanOut.isRead ? now : promptness[mediaType].promptTime(now: now)
    }

    /// Notes that somebody needs packets as they arrive, or will in a moment. The publisher's side learns it at once.
    ///
    /// - Parameters:
    ///   - mediaTypes: the tracks whose packets are needed.
    ///   - now: the time on the caller's event loop.
    package func expectPromptness(_ mediaTypes: [MediaType] = MediaType.allCases, now: NIODeadline) {
        var isNew = false
        for mediaType in mediaTypes where promptness[mediaType].note(now: now) { isNew = true }
        if isNew { withState { $0.epoch?.onHurry }?() }
    }
}

extension AwaitedMedia {
    /// The tracks whose latency matters. A viewer that waits for a whole segment loses nothing by a few milliseconds.
    fileprivate var mediaTypesAwaitedForLatency: [MediaType] {
        switch self {
        case .firstPart: MediaType.allCases
        case .part(let address): Self.mediaTypes(of: address.rendition)
        case .position(let position, let rendition): position.part == nil ? [] : Self.mediaTypes(of: rendition)
        case .firstSegment: []
        }
    }

    /// Audio needs the video's packets, too: where the video is cut, the audio's segment ends.
    private static func mediaTypes(of rendition: String) -> [MediaType] {
        rendition == MediaType.video.rawValue ? [.video] : MediaType.allCases
    }
}

extension LiveChannel.State {
    /// Returns whether the channel may still get what is asked for. A channel that has lost its publisher may get it
    /// back while a player waits; a part of a push that has ended will never come.
    func mayCome(_ awaited: AwaitedMedia) -> Bool {
        switch awaited {
        case .firstPart, .firstSegment: mayBegin
        case .position: epoch != nil || window.isPlayable
        case .part(let address): window.mayCome(address)
        }
    }

    /// Removes the waiters for more of a window that has ended; their next requests get its end.
    mutating func takeWaitersOfFormerWindow() -> ReleasedWaiters {
        var waiting = ViewerWaiters()
        swap(&waiting, &waiters)
        defer { waiters = waiting }
        return waiting.take { awaited in
            switch awaited {
            case .firstPart, .firstSegment: nil
            case .position: true
            case .part: false
            }
        }
    }

    /// Removes the waiters that the newest events have answered, and those whose part will never come.
    mutating func takeAnsweredWaiters() -> ReleasedWaiters {
        // Taken out meanwhile, because otherwise it would be copied with the rest of the state.
        var waiting = ViewerWaiters()
        swap(&waiting, &waiters)
        defer { waiters = waiting }
        return waiting.take { awaited in
            if window.hasCome(awaited) { return true }
            return mayCome(awaited) ? nil : false
        }
    }
}

extension LiveWindow {
    func hasCome(_ awaited: AwaitedMedia) -> Bool {
        switch awaited {
        case .firstPart: isPlayable
        // A rendition that the channel does not have need not be waited for.
        case .firstSegment(let name):
            isPlayable && listsSegments(named: name)
        // Nothing follows the end; the playlist says so.
        case .position(let position, let name):
            hasEnded || rendition(named: name[...])?.hasReached(position) ?? isPlayable
        case .part(let address): part(at: address) != nil
        }
    }

    /// Returns whether that playlist has a segment; true if the channel does not have the playlist at all.
    func listsSegments(named name: String) -> Bool {
        switch name {
        case Self.transportStreamName: listsTransportStreamSegments
        case Self.manifestName: renditions.contains { $0.listsMedia }
        case Self.iFramesName: renditions.first { $0.mediaType == .video }.map { !$0.listed.isEmpty } ?? true
        default: rendition(named: name[...]).map { !$0.listed.isEmpty } ?? true
        }
    }

    /// The finished part at an address; `nil` if there is none.
    package func part(at address: LivePartAddress) -> PartialSegment? {
        rendition(named: address.rendition[...])?.part(
            mediaSequence: address.mediaSequence, index: address.index, epoch: address.epoch[...])
    }

    /// Returns whether the part is the one that is being built, or the first of the next segment: a playlist hints only
    /// at these.
    package func mayCome(_ address: LivePartAddress) -> Bool {
        guard growingEpoch != nil, let rendition = rendition(named: address.rendition[...]) else { return false }
        // The first part of a rendition, or of a push.
        if rendition.nextPart == address { return true }
        guard let edge = rendition.edge, rendition.newestEpoch == address.epoch
        else { return false }
        if let open = rendition.openSegment, open.header.mediaSequence == address.mediaSequence {
            return address.index == open.parts.count
        }
        return address.mediaSequence == edge.mediaSequence + 1 && address.index == 0
    }
}
