import Glibc
import ISOBMFF
package import MediaCore
package import NIOCore

/// Appends segments of all renditions to a fragmented movie, which stays playable whenever the program is killed.
///
/// Used by one thread at a time; every call may wait for the disk.
package final class ArchiveMovieWriter {
    /// The movie, for reading back what has been written.
    package let movie: ArchiveMovie
    /// The size of the file.
    package private(set) var byteCount: Int64
    /// The duration of the longest track.
    package var duration: MediaTime { timeline.end }
    private let descriptor: Int32
    private let storage: ArchiveStorage
    private let trackCount: Int
    private var timeline: ArchiveTimeline
    private var nextSequenceNumber: UInt32 = 1
    private var isSynchronized = false

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - path: The path of a file that does not exist yet.
    ///   - sections: The initialization sections of the tracks, in the order of the rows' segments.
    ///   - title: The title that players and the library show.
    ///   - storage: Writes and flushes the files.
    ///   - onRelease: See ``ArchiveMovie``.
    /// - Throws: ``MediaFileError``; there is no file then.
    package init(
        path: String, sections: [ByteBuffer], title: String? = nil, storage: ArchiveStorage = .disk,
        onRelease: (@Sendable (MediaFile) -> Void)? = nil
    ) throws(MediaFileError) {
        guard let start = FragmentedMovieHeader(sections: sections, title: title).rendered() else {
            throw MediaFileError(path: path, operation: "start", errno: EINVAL)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw MediaFileError(path: path, operation: "create", errno: errno) }
        do throws(MediaFileError) {
            let failure = storage.write(descriptor, start, 0)
            guard failure == 0 else { throw MediaFileError(path: path, operation: "write", errno: failure) }
            movie = ArchiveMovie(file: try MediaFile(path: path), onRelease: onRelease)
        } catch {
            close(descriptor)
            unlink(path)
            throw error
        }
        self.descriptor = descriptor
        self.storage = storage
        trackCount = sections.count
        byteCount = Int64(start.readableBytes)
        timeline = ArchiveTimeline(trackCount: trackCount)
    }

    deinit { close(descriptor) }

    /// Appends the segments of all renditions for the same time with one write: afterwards all of them are in the file,
    /// or none.
    ///
    /// - Parameter row: One segment per track; `nil` if the track has none. All belong to the same epoch.
    /// - Returns: The segments' places; `nil` for tracks without a segment, and for segments with foreign fragments.
    /// - Throws: ``MediaFileError``; the file is unchanged then.
    package func append(_ row: [ArchivableSegment?]) throws(MediaFileError) -> [StoredSegment?] {
        precondition(row.count == trackCount, "a row has a segment for each track")
        guard let epoch = row.lazy.compactMap({ $0?.epoch }).first else { return row.map { _ in nil } }
        let media = row.map { $0.flatMap(FragmentRun.init) }
        var timeline = timeline
        let shifts = timeline.place(media.map { $0?.span }, of: epoch)
        var buffer = ByteBuffer()
        buffer.reserveCapacity(
            media.reduce(0) { $0 + ($1?.bytes.readableBytes ?? 0) }
                + media.count * ProducerReferenceTime.byteCount)
        var sequenceNumber = nextSequenceNumber
        var stored: [StoredSegment?] = []
        for (index, run) in media.enumerated() {
            guard var run else {
                stored.append(nil)
                continue
            }
            let count = MovieFragmentFields.move(
                &run.bytes, toTrack: FragmentedMovieHeader.trackID(at: index), shiftedBy: shifts[index],
                from: sequenceNumber)
            sequenceNumber &+= UInt32(clamping: count ?? 0)
            // Players of the recording, and boards beside it, go by the date at which a frame was shown.
            ProducerReferenceTime(
                trackID: FragmentedMovieHeader.trackID(at: index),
                decodeTime: run.span.start.value.addingSaturating(shifts[index]), time: NTPTimestamp(run.date)
            ).write(to: &buffer)
            let place = StoredSegment.Place(
                offset: byteCount + Int64(buffer.readableBytes), byteCount: run.bytes.readableBytes,
                duration: run.span.duration, firstSequenceNumber: run.firstSequenceNumber,
                decodeTimeShift: shifts[index])
            buffer.writeImmutableBuffer(run.bytes)
            stored.append(StoredSegment(in: movie, at: place))
        }
        try write(buffer)
        self.timeline = timeline
        nextSequenceNumber = sequenceNumber
        return stored
    }

    private func write(_ buffer: ByteBuffer) throws(MediaFileError) {
        isSynchronized = false
        let failure = storage.write(descriptor, buffer, byteCount)
        guard failure == 0 else {
            // A partial write belongs to no segment; the next one overwrites it.
            ftruncate(descriptor, off_t(byteCount))
            throw MediaFileError(path: movie.file.path, operation: "write", errno: failure)
        }
        byteCount += Int64(buffer.readableBytes)
    }

    /// Flushes the file, so that its content survives a power failure.
    package func synchronize() throws(MediaFileError) {
        guard !isSynchronized else { return }
        let failure = storage.synchronize(descriptor)
        guard failure == 0 else {
            throw MediaFileError(path: movie.file.path, operation: "write", errno: failure)
        }
        isSynchronized = true
    }
}

/// A segment's fragments in one buffer.
private struct FragmentRun {
    var bytes: ByteBuffer
    let span: ArchiveTimeline.Span
    let firstSequenceNumber: UInt32
    let date: WallClockTime

    /// Joins the fragments; `nil` if ``StoredSegment`` could not restore them.
    init?(_ segment: ArchivableSegment) {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(segment.bytes.reduce(0) { $0 + $1.readableBytes })
        for piece in segment.bytes { bytes.writeImmutableBuffer(piece) }
        guard let offsets = MovieFragmentFields.offsets(in: bytes), let first = offsets.first,
            let fields = MovieFragmentFields(bytes, at: first)
        else { return nil }
        for (position, offset) in offsets.enumerated() {
            guard let other = MovieFragmentFields(bytes, at: offset),
                other.sequenceNumber == fields.sequenceNumber &+ UInt32(clamping: position),
                other.trackID == MediaInitializationSection.trackID
            else { return nil }
        }
        self.bytes = bytes
        firstSequenceNumber = fields.sequenceNumber
        date = segment.date
        span = ArchiveTimeline.Span(
            start: MediaTime(value: fields.decodeTime, timescale: segment.duration.timescale),
            duration: segment.duration)
    }
}
