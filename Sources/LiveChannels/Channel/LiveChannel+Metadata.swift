package import HLSPlaylist
import MediaCore
import NIOCore
import Packaging

extension LiveChannel {
    /// Limit on the size of the date ranges that a channel's playlists carry at a time, because every viewer loads them
    /// with every part. It allows over 400 ranges with one attribute, for example a song every three minutes in a
    /// window of 20 hours.
    package static let maximumDateRangeByteCount = 64 << 10

    /// Adds a date range at the live edge, where the next part begins, to all media playlists until it has left the
    /// window, and its ID3 tag to each rendition's next part.
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
    /// Adds a date range at the live edge, and its ID3 tag to the next parts; see `LiveChannel.announce`.
    package func announce(_ metadata: TimedMetadata) -> Result<DateRange, TimedMetadataError> {
        eventLoop.preconditionInEventLoop()
        let now = channel.clock.now()
        let leading = leadingRendition
        let packaging = packagingIdentifier
        let outcome = channel.withState { state in
            Result { () throws(TimedMetadataError) in
                try state.announce(
                    metadata, of: identifier, packaging: packaging, leading: leading, now: now,
                    channel: channel.name)
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

extension LiveChannel.State {
    fileprivate mutating func announce(
        _ metadata: TimedMetadata, of epoch: String, packaging: String, leading: RenditionID, now: WallClockTime,
        channel: String
    ) throws(TimedMetadataError) -> (range: DateRange, number: UInt32) {
        guard self.epoch?.identifier == epoch, let edge = window.edgeDate(of: leading, epoch: packaging) else {
            throw LiveChannel.notLive(channel)
        }
        if let id = metadata.id, window.dateRanges.contains(where: { $0.id == id }) {
            throw TimedMetadataError(code: .identifierInUse, reason: "there is already a range with the id \(id)")
        }
        guard metadataCounter.mayAdmit(now: now) else {
            throw TimedMetadataError(
                code: .tooMany,
                reason: "more than \(MetadataCounter.maximumRate) announcements within "
                    + "\(MetadataCounter.rateInterval.components.seconds) s")
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
        dropPlaylists { _ in true }
        return (range, number)
    }
}

extension LiveWindow {
    /// The date at which the next part begins; `nil` while the epoch has shown nothing.
    fileprivate func edgeDate(of id: RenditionID, epoch: String) -> WallClockTime? {
        guard let rendition = renditions.first(where: { $0.id == id }) else { return nil }
        let end: (start: WallClockTime, seconds: Double)
        if let open = rendition.openSegment {
            guard open.header.epoch == epoch else { return nil }
            end = (open.header.programDateTime, open.duration)
        } else {
            guard let last = rendition.listed.last, last.epoch == epoch else { return nil }
            end = (last.programDateTime, last.duration.seconds)
        }
        return end.start + MediaTime(seconds: end.seconds, timescale: .milliseconds)
    }

    /// Drops the ranges that end before the playlist begins (rfc8216bis §6.2.1).
    mutating func dropDateRanges() {
        guard !dateRanges.isEmpty, let start = renditions.first?.firstDate else { return }
        let ranges = dateRanges
        dateRangeList.removeAll { range in
            // Most ranges begin later than that, and their end need not be determined.
            guard range.startDate < start.millisecondsSince1970, let end = Self.end(of: range, among: ranges) else {
                return false
            }
            return end < start.millisecondsSince1970
        }
    }

    /// The date at which the range ends, in milliseconds since 1970; `nil` if it is open-ended.
    private static func end(of range: DateRange, among ranges: [DateRange]) -> Int64? {
        if range.endsOnNext, let rangeClass = range.dateRangeClass {
            return ranges.filter { $0.dateRangeClass == rangeClass && $0.startDate > range.startDate }
                .map(\.startDate).min()
        }
        let seconds = range.duration ?? range.plannedDuration ?? 0
        return range.startDate.addingSaturating(MediaTime(seconds: seconds, timescale: .milliseconds).value)
    }
}
