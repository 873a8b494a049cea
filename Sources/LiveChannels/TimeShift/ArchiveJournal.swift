import Foundation
import MediaCore
import NIOCore
import Packaging

/// The description of an archive file's segments, without their bytes, from which a restarted server restores the time
/// shift. One journal lies beside each file. Its lines are appended, so whatever a crash leaves is valid up to the last
/// complete line.
///
///     antena-archive 1
///     recording canalA_2026-11-21_17-20-00.mp4       only if the file is a recording
///     track video AAAAIGZ0eXBpc281…                  its initialization section, Base64; the file's tracks in order
///     epoch mbx4k21                                  of the rows that follow
///     row 98 38,38 5 1763741234567,0,0,902,41022,180000,90000,31,0,5204,1,900000 -
///
/// A row has the media sequence number, the first media sequence numbers of the video and audio playlists that listed
/// it, the number of the channel's discontinuities before it, and for each track the values of ``ArchiveJournal/Entry``
/// in its order; a dash if the file has nothing for the track. Former versions did not write the last value.
struct ArchiveJournal: Sendable {
    /// The name of the recording that the file is; `nil` for a file that only the time shift needs.
    var recordingName: String?
    var tracks: [Track]
    var rows: [Row] = []

    static let suffix = ".journal"
    static let firstLine = "antena-archive 1"

    /// A track of the archive file with its initialization section.
    struct Track: Sendable, Hashable {
        var rendition: RenditionID
        var section: ByteBuffer
    }

    /// The segments of all tracks with the same media sequence number.
    struct Row: Sendable, Hashable {
        var epoch: String
        var mediaSequence: Int
        /// The first media sequence numbers of the playlists in which this row was the newest.
        var first: FirstMediaSequences
        /// The number of the channel's discontinuities before the row.
        var discontinuityCount: Int
        /// One entry per track; `nil` if the file has nothing for the track.
        var entries: [Entry?]
    }

    /// A segment of one track.
    struct Entry: Sendable, Hashable {
        var programDateTime: WallClockTime
        var isDiscontinuous: Bool
        var initializationNumber: Int
        /// The place of the segment in the file; it has no bytes for a gap.
        var place: StoredSegment.Place
        var keyFrameByteCount: Int?
        var isIndependent: Bool
        /// See ``LiveSegment/presentationStart``, on the clock of the duration; `nil` for a gap.
        var presentationStart: MediaTime?
    }
}

extension ArchiveJournal.Entry {
    init(_ segment: LiveSegment, at place: StoredSegment.Place) {
        programDateTime = segment.programDateTime
        isDiscontinuous = segment.isDiscontinuous
        initializationNumber = segment.initializationNumber
        self.place = place
        keyFrameByteCount = segment.keyFrameByteCount
        isIndependent = segment.isIndependent
        presentationStart = segment.presentationStart
    }
}

// MARK: Lines

extension ArchiveJournal {
    /// The lines before the first row.
    var header: String {
        var lines = [Self.firstLine]
        if let recordingName { lines.append("recording \(recordingName)") }
        lines += tracks.map {
            "track \($0.rendition) \(Data($0.section.readableBytesView).base64EncodedString())"
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Reads a journal up to the first line that is not complete. It works on bytes, because a window of a day has
    /// 43,200 rows and the server does not start before they are read.
    ///
    /// - Returns: `nil` if not even the header lines are complete.
    init?(parsing bytes: some Collection<UInt8>) {
        tracks = []
        var epoch = ""
        // The text after the last line break was still being written.
        var lines = Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        guard let first = lines.popFirst(), first.elementsEqual(Self.firstLine.utf8) else { return nil }
        reading: for line in lines {
            let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            switch (String(decoding: fields[0], as: UTF8.self), fields.count) {
            case ("recording", 2): recordingName = String(decoding: fields[1], as: UTF8.self)
            case ("track", 3):
                guard let id = RenditionID(name: String(decoding: fields[1], as: UTF8.self)),
                    let section = Data(base64Encoded: Data(fields[2]))
                else { return nil }
                tracks.append(Track(rendition: id, section: ByteBuffer(bytes: section)))
            case ("epoch", 2): epoch = String(decoding: fields[1], as: UTF8.self)
            case ("row", tracks.count + 4):
                guard let row = Row(fields: fields.dropFirst(), epoch: epoch) else { break reading }
                rows.append(row)
            default: break reading
            }
        }
        // The recording's name must be a plain file name, not a path that leads elsewhere.
        guard !tracks.isEmpty, recordingName.map({ !$0.contains("/") && !$0.hasPrefix(".") }) ?? true else {
            return nil
        }
    }

    /// Parses decimal numbers separated by commas; `nil` if there is anything else.
    fileprivate static func numbers(_ field: ArraySlice<UInt8>) -> [Int64]? {
        var numbers: [Int64] = []
        for digits in field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let isNegative = digits.first == UInt8(ascii: "-")
            var value: Int64 = 0
            guard digits.count > (isNegative ? 1 : 0) else { return nil }
            for digit in digits.dropFirst(isNegative ? 1 : 0) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
                let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
                let (sum, overflows) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
                guard !isTooLarge, !overflows else { return nil }
                value = sum
            }
            numbers.append(isNegative ? -value : value)
        }
        return numbers
    }
}

extension ArchiveJournal.Row {
    /// The row as a line, without the line break.
    var line: String {
        let entries = entries.map { $0?.text ?? "-" }.joined(separator: " ")
        return "row \(mediaSequence) \(first.video),\(first.audio) \(discontinuityCount) \(entries)"
    }

    /// - Parameter fields: the fields after `row`.
    fileprivate init?(fields: ArraySlice<ArraySlice<UInt8>>, epoch: String) {
        let counts = fields.prefix(3).compactMap(ArchiveJournal.numbers).joined().compactMap { Int(exactly: $0) }
        guard !epoch.isEmpty, counts.count == 4,
            counts.allSatisfy((0...FileChannelStateStore.maximumCount).contains)
        else { return nil }
        self.epoch = epoch
        first = FirstMediaSequences(video: counts[1], audio: counts[2])
        (mediaSequence, discontinuityCount) = (counts[0], counts[3])
        entries = []
        for field in fields.dropFirst(3) {
            if field.elementsEqual("-".utf8) {
                entries.append(nil)
            } else if let entry = ArchiveJournal.Entry(field) {
                entries.append(entry)
            } else {
                return nil
            }
        }
    }
}

extension ArchiveJournal.Entry {
    fileprivate var text: String {
        let numbers: [Int64] = [
            programDateTime.millisecondsSince1970, isDiscontinuous ? 1 : 0, Int64(initializationNumber), place.offset,
            Int64(place.byteCount), place.duration.value, Int64(place.duration.timescale.ticksPerSecond),
            Int64(place.firstSequenceNumber), place.decodeTimeShift, Int64(keyFrameByteCount ?? 0),
            isIndependent ? 1 : 0,
        ]
        let start = presentationStart.map { [$0.converted(to: place.duration.timescale).value] } ?? []
        return (numbers + start).map(String.init).joined(separator: ",")
    }

    fileprivate init?(_ field: ArraySlice<UInt8>) {
        guard let numbers = ArchiveJournal.numbers(field), (11...12).contains(numbers.count),
            let ticks = UInt32(exactly: numbers[6]),
            let timescale = Timescale(checking: ticks),
            let sequenceNumber = UInt32(exactly: numbers[7]),
            let initializationNumber = Int(exactly: numbers[2]), let byteCount = Int(exactly: numbers[4]),
            let keyFrameByteCount = Int(exactly: numbers[9]), 0 <= keyFrameByteCount, keyFrameByteCount <= byteCount,
            case let date = WallClockTime(millisecondsSince1970: numbers[0]),
            (.unixEpoch...Self.latestDate).contains(date), numbers[3] >= 0, numbers[5] > 0
        else { return nil }
        programDateTime = date
        isDiscontinuous = numbers[1] == 1
        self.initializationNumber = initializationNumber
        place = StoredSegment.Place(
            offset: numbers[3], byteCount: byteCount,
            duration: MediaTime(value: numbers[5], timescale: timescale), firstSequenceNumber: sequenceNumber,
            decodeTimeShift: numbers[8])
        self.keyFrameByteCount = keyFrameByteCount > 0 ? keyFrameByteCount : nil
        isIndependent = numbers[10] == 1
        presentationStart = numbers.count > 11 ? MediaTime(value: numbers[11], timescale: timescale) : nil
    }

    /// The end of the year 9999. Later dates cannot be written into a playlist.
    private static let latestDate = WallClockTime(millisecondsSince1970: 253_402_300_799_000)
}
