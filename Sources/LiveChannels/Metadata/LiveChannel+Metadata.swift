package import HLSPlaylist
import MediaCore
import NIOCore
import Packaging

extension LiveChannel {
    /// Of the date ranges that a channel's playlists carry at a time, because every viewer loads them with every part:
    /// over 400 of those with one attribute, a song every three minutes in a window of 20 hours.
    package static let maximumDateRangeByteCount = 64 << 10
    /// Announcements within ``metadataRateMilliseconds``: no programme has more, a script that runs wild has.
    package static let maximumMetadataRate = 20
    package static let metadataRateMilliseconds: Int64 = 10_000

    /// Puts a date range at the live edge, where the next part begins, into all media playlists until it has left the
    /// window, and its ID3 tag in front of each rendition's next part.
    ///
    /// - Throws: ``TimedMetadataError``
    package func announce(_ metadata: TimedMetadata) async throws -> DateRange {
        guard let onMetadata = withState({ $0.epoch?.onMetadata }) else { throw Self.notLive(name) }
        return try await onMetadata(metadata).get().get()
    }

    static func notLive(_ name: String) -> TimedMetadataError {
        TimedMetadataError(code: .notLive, reason: "nobody is broadcasting on \(name) now")
    }
}

extension PublishingEpoch {
    func announce(_ metadata: TimedMetadata) -> Result<DateRange, TimedMetadataError> {
        eventLoop.preconditionInEventLoop()
        let now = channel.clock.now()
        let mediaType = leadingMediaType
        let outcome = channel.withState { state in
            Result { () throws(TimedMetadataError) in
                try state.announce(metadata, of: identifier, leading: mediaType, now: now, channel: channel.name)
            }
        }
        guard case .success(let announced) = outcome else { return outcome.map(\.range) }
        if let tag = metadata.tag {
            let event = TimedEvent(
                id: announced.number, duration: metadata.duration ?? metadata.plannedDuration, tag: tag)
            phase.withPackager { $0.insert(event) }
        }
        return .success(announced.range)
    }
}

/// A channel's announcements as far as they are counted.
struct MetadataCounter: Sendable {
    /// Of the newest one.
    private var number: UInt32 = 0
    /// Milliseconds since 1970, oldest first.
    private var recent: [Int64] = []

    /// - Returns: whether there may be another one now.
    mutating func mayAdmit(now: Int64) -> Bool {
        recent.removeAll { !(0..<LiveChannel.metadataRateMilliseconds).contains(now.subtractingSaturating($0)) }
        return recent.count < LiveChannel.maximumMetadataRate
    }

    /// Larger than any before, and by the clock, in tenths of a second, of which each has fewer than one announcement:
    /// a player that has seen one of a server that was started again since must not take the next one for the same.
    func nextNumber(now: Int64) -> UInt32 { max(number &+ 1, UInt32(truncatingIfNeeded: now / 100)) }

    mutating func admit(_ number: UInt32, now: Int64) {
        self.number = number
        recent.append(now)
    }
}

extension LiveChannel.State {
    fileprivate mutating func announce(
        _ metadata: TimedMetadata, of epoch: String, leading: MediaType, now: Int64, channel: String
    ) throws(TimedMetadataError) -> (range: DateRange, number: UInt32) {
        guard self.epoch?.identifier == epoch, let edge = window.edgeDate(of: leading, epoch: epoch) else {
            throw LiveChannel.notLive(channel)
        }
        if let id = metadata.id, window.dateRanges.contains(where: { $0.id == id }) {
            throw TimedMetadataError(code: .identifierInUse, reason: "there is a range with the id \(id) already")
        }
        guard metadataCounter.mayAdmit(now: now) else {
            throw TimedMetadataError(
                code: .tooMany,
                reason: "more than \(LiveChannel.maximumMetadataRate) announcements within "
                    + "\(LiveChannel.metadataRateMilliseconds / 1_000) s")
        }
        let number = metadataCounter.nextNumber(now: now)
        let range = metadata.dateRange(id: metadata.id ?? "\(epoch)-\(number)", startDate: edge)
        guard window.dateRangeList.append(range, maximumByteCount: LiveChannel.maximumDateRangeByteCount) else {
            throw TimedMetadataError(
                code: .tooMany,
                reason: "the playlists carry \(window.dateRanges.count) ranges already, and no more than "
                    + "\(LiveChannel.maximumDateRangeByteCount >> 10) KB of them; wait until one has left")
        }
        metadataCounter.admit(number, now: now)
        forgetPlaylists { _ in true }
        return (range, number)
    }
}

extension LiveWindow {
    /// Where the next part begins: milliseconds since 1970. `nil` while the epoch has shown nothing.
    fileprivate func edgeDate(of mediaType: MediaType, epoch: String) -> Int64? {
        guard let rendition = renditions.first(where: { $0.mediaType == mediaType }) else { return nil }
        let end: (start: Int64, seconds: Double)
        if let open = rendition.openSegment {
            guard open.heading.epoch == epoch else { return nil }
            end = (open.heading.programDateTime, open.duration)
        } else {
            guard let last = rendition.listed.last, last.epoch == epoch else { return nil }
            end = (last.programDateTime, last.duration.seconds)
        }
        return end.start.addingSaturating(MediaTime(seconds: end.seconds, timescale: .milliseconds).value)
    }

    /// Ranges that end before the playlist begins (rfc8216bis §6.2.1) are over.
    mutating func dropDateRanges() {
        guard !dateRanges.isEmpty, let start = renditions.first?.firstDate else { return }
        let ranges = dateRanges
        dateRangeList.removeAll { range in
            // Most have not begun that long ago, and where they end need not be looked for.
            guard range.startDate < start, let end = Self.end(of: range, among: ranges) else { return false }
            return end < start
        }
    }

    /// `nil` where the range goes on.
    private static func end(of range: DateRange, among ranges: [DateRange]) -> Int64? {
        if range.endsOnNext, let rangeClass = range.dateRangeClass {
            return ranges.filter { $0.dateRangeClass == rangeClass && $0.startDate > range.startDate }
                .map(\.startDate).min()
        }
        let seconds = range.duration ?? range.plannedDuration ?? 0
        return range.startDate.addingSaturating(MediaTime(seconds: seconds, timescale: .milliseconds).value)
    }
}
