import Foundation
import ISOBMFF
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Packaging

struct ArchiveMovieTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory(label: "archive") }

    /// The output of a channel for a while, in rows of one segment per track.
    struct Push {
        var sections: [ByteBuffer]
        var rows: [[LiveSegment]]

        init(seconds: Double, frameRate: Double = 25, compositionOffset: Int64 = 0) throws {
            var live = try LiveFixture(frameRate: frameRate)
            sections = [RenditionID.video, .audio].compactMap { live.packager.initializationSection(for: $0) }
            live.send(seconds: seconds, frameRate: frameRate, keyFrameInterval: Int(frameRate) * 2)
            live.finish()
            rows = zip(live.segments(.video), live.segments(.audio)).map { [$0, $1] }
        }

        func archivable(_ row: [LiveSegment], epoch: String = "e1") -> [ArchivableSegment?] {
            row.map { segment in
                var segment = segment
                segment.header.epoch = epoch
                return segment.isGap ? nil : ArchivableSegment(segment)
            }
        }
    }

    /// Reads a segment in pieces, as viewers get it.
    private func inPieces(_ stored: StoredSegment?) throws -> ByteBuffer {
        let media = try #require(try stored?.media(cachedOnly: false))
        var reader = StoredMediaReader(media, range: 0..<media.byteCount)
        var buffer = ByteBuffer()
        while reader.remainingByteCount > 0 { #expect(try reader.readPiece(1_000, into: &buffer, cachedOnly: false)) }
        return buffer
    }

    @Test func whatWasWrittenIsReadBackToTheByte() throws {
        let push = try Push(seconds: 9)
        let writer = try ArchiveMovieWriter(path: directory.file("a.mp4"), sections: push.sections)
        for epoch in ["e1", "e2"] {
            for row in push.rows {
                let stored = try writer.append(push.archivable(row, epoch: epoch))
                for (segment, stored) in zip(row, stored) {
                    let read = try #require(try stored?.read(cachedOnly: false))
                    #expect(read == bytes(of: segment))
                    #expect(stored?.byteCount == segment.byteCount)
                    #expect(try inPieces(stored) == bytes(of: segment))
                }
            }
        }
    }

    /// An event keeps its place among its track's frames when an epoch is shifted on the file's timeline.
    @Test func eventsMoveWithTheirFragments() throws {
        let push = try Push(seconds: 5)
        let path = try directory.file("a.mp4")
        let writer = try ArchiveMovieWriter(path: path, sections: push.sections)
        for epoch in ["e1", "e2"] {
            for row in push.rows {
                var row = row
                let event = EventMessage(
                    schemeIDURI: EventMessage.id3SchemeIDURI,
                    presentationTime: MediaTime(
                        value: row[0].parts[0].decodeTime.value + 900, timescale: row[0].parts[0].decodeTime.timescale),
                    id: 1, messageData: [1, 2, 3])
                var header = ByteBuffer()
                event.write(into: &header)
                header.writeImmutableBuffer(row[0].parts[0].header)
                row[0].parts[0].header = header
                let stored = try writer.append(push.archivable(row, epoch: epoch))
                #expect(try stored[0]?.read(cachedOnly: false) == bytes(of: row[0]))
                #expect(try inPieces(stored[0]) == bytes(of: row[0]))
                let file = ByteBuffer(bytes: try bytesOfFile(path))
                let range = try #require(stored[0]?.place)
                let start = Int(range.offset)
                let time = try #require(file.getInteger(at: start + 16, as: Int64.self))
                let size = Int(try #require(file.getInteger(at: start, as: UInt32.self)))
                let fragment = try #require(MovieFragmentFields(file, at: start + size))
                #expect(time == fragment.decodeTime + 900)
            }
        }
        #expect(try MovieIndex.read(from: MediaFile(path: path)).tracks.allSatisfy { $0.samples.count > 0 })
    }

    @Test func aFileGoesOnWhenItHasNoNameAnyMore() throws {
        let push = try Push(seconds: 5)
        let path = try directory.file("a.mp4")
        let released = Mutex(0)
        var stored: [StoredSegment?] = []
        do {
            let writer = try ArchiveMovieWriter(path: path, sections: push.sections) { file in
                #expect(file.path == path)
                released.withLock { $0 += 1 }
            }
            _ = try writer.append(push.archivable(push.rows[0]))
            try FileManager.default.removeItem(atPath: path)
            stored = try writer.append(push.archivable(push.rows[1]))
        }
        let read = try #require(try stored[0]?.read(cachedOnly: false))
        #expect(read == bytes(of: push.rows[1][0]))
        #expect(released.withLock { $0 } == 0, "somebody may still ask for it")
        stored = []
        #expect(released.withLock { $0 } == 1)
    }

    @Test(arguments: [25, 30_000.0 / 1_001, 50]) func epochsFollowOneAnotherWithoutOverlap(_ frameRate: Double)
        async throws
    {
        let push = try Push(seconds: 7, frameRate: frameRate)
        let path = try directory.file("a.mp4")
        let writer = try ArchiveMovieWriter(path: path, sections: push.sections, title: "Canal A, ñ")
        for epoch in ["e1", "e2", "e3"] {
            for row in push.rows { _ = try writer.append(push.archivable(row, epoch: epoch)) }
        }
        try writer.synchronize()
        #expect(abs(writer.duration.seconds - 21) < 0.2)

        let index = try MovieIndex.read(from: MediaFile(path: path))
        #expect(index.title == "Canal A, ñ")
        #expect(index.tracks.map(\.track.id) == [1, 2])
        #expect(
            index.tracks.map(\.samples.count)
                == [0, 1].map { track in
                    3 * push.rows.reduce(0) { $0 + $1[track].parts.reduce(0) { $0 + $1.sampleCount } }
                })
        let title = try PackagedTitle(index: index, file: MediaFile(path: path))
        #expect(abs(title.duration.seconds - 21) < 0.2)
        #expect(title.renditions.map(\.name) == ["video", "audio"])

        let packets = try await ProbedPacket.all(of: path)
        for stream in 0..<2 {
            let times = packets.filter { $0.stream == stream }.map(\.decodeTime)
            #expect(times.count == index.tracks[stream].samples.count)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            #expect((times.first ?? -1) < 4_000, "the file begins at zero")
        }
    }

    @Test func fragmentsAreNumberedFromOneOn() throws {
        let push = try Push(seconds: 5)
        let path = try directory.file("a.mp4")
        let writer = try ArchiveMovieWriter(path: path, sections: push.sections)
        for epoch in ["e1", "e2"] {
            for row in push.rows { _ = try writer.append(push.archivable(row, epoch: epoch)) }
        }
        let file = ByteBuffer(bytes: try bytesOfFile(path))
        let media = Self.withoutDates(file.readableBytesView[...])
        let offsets = try #require(MovieFragmentFields.offsets(in: media))
        #expect(
            offsets.compactMap { MovieFragmentFields(media, at: $0)?.sequenceNumber }
                == (1...offsets.count).map(UInt32.init))
    }

    @Test func aGapLeavesItsTrackOut() throws {
        let push = try Push(seconds: 7)
        let path = try directory.file("a.mp4")
        let writer = try ArchiveMovieWriter(path: path, sections: push.sections)
        for (number, row) in push.rows.enumerated() {
            var row = push.archivable(row)
            if number == 1 { row[1] = nil }
            let stored = try writer.append(row)
            #expect((stored[1] == nil) == (number == 1))
        }
        #expect(try writer.append([nil, nil]).allSatisfy { $0 == nil })
        let title = try PackagedTitle(index: MovieIndex.read(from: MediaFile(path: path)), file: MediaFile(path: path))
        #expect(abs(title.duration.seconds - 7) < 0.1, "audio and video are still together")
    }

    @Test func whatIsNoFragmentOfOursIsNotStored() throws {
        let push = try Push(seconds: 3)
        let writer = try ArchiveMovieWriter(path: directory.file("a.mp4"), sections: push.sections)
        let before = writer.byteCount
        let second = MediaTime(value: 90_000, timescale: .video90kHz)
        for bytes in [ByteBuffer(), ByteBuffer(string: "no box at all"), ByteBuffer(repeating: 0, count: 400)] {
            let stored = try writer.append([
                ArchivableSegment(epoch: "e", bytes: [bytes], duration: second, date: .unixEpoch), nil,
            ])
            #expect(stored.allSatisfy { $0 == nil })
        }
        #expect(writer.byteCount == before)
        #expect(throws: MediaFileError.self) {
            try ArchiveMovieWriter(path: directory.file("b.mp4"), sections: [ByteBuffer(string: "nothing")])
        }
        #expect(!FileManager.default.fileExists(atPath: try directory.file("b.mp4")))
    }

    @Test func aFullDiskCostsTheRowThatDidNotFit() throws {
        let push = try Push(seconds: 9)
        let path = try directory.file("a.mp4")
        let room = Mutex(Int64.max)
        let storage = ArchiveStorage(
            write: { descriptor, buffer, offset in
                let room = room.withLock { $0 }
                guard offset + Int64(buffer.readableBytes) > room else {
                    return ArchiveStorage.disk.write(descriptor, buffer, offset)
                }
                // Like a disk that becomes full, it writes only a part.
                let part = buffer
                let fitting = part.getSlice(at: part.readerIndex, length: max(0, Int(room - offset))) ?? ByteBuffer()
                _ = ArchiveStorage.disk.write(descriptor, fitting, offset)
                return 28
            }, synchronize: ArchiveStorage.disk.synchronize)
        let writer = try ArchiveMovieWriter(path: path, sections: push.sections, storage: storage)
        _ = try writer.append(push.archivable(push.rows[0]))
        let before = writer.byteCount
        room.withLock { $0 = before + 1_000 }
        let error = #expect(throws: MediaFileError.self) { try writer.append(push.archivable(push.rows[1])) }
        #expect(error?.description.contains("No space left on device") == true)
        #expect(writer.byteCount == before)
        #expect(MediaFile.identity(ofFileAt: path)?.byteCount == before)
        room.withLock { $0 = .max }
        let stored = try writer.append(push.archivable(push.rows[2]))
        #expect(try stored[0]?.read(cachedOnly: false) == bytes(of: push.rows[2][0]))
        #expect(try MovieIndex.read(from: MediaFile(path: path)).tracks[0].samples.count == 100)
    }

    @Test func anInterruptedMovieIsCutAfterItsLastWholeFragment() throws {
        let push = try Push(seconds: 5)
        let whole = try directory.file("whole.mp4")
        let writer = try ArchiveMovieWriter(path: whole, sections: push.sections)
        var ends: [Int64] = []
        for row in push.rows {
            for stored in try writer.append(push.archivable(row)) {
                ends.append(stored.map { $0.place.offset + Int64($0.byteCount) } ?? 0)
            }
        }
        let bytes = try bytesOfFile(whole)
        let start = Int(writer.byteCount) - push.rows.joined().reduce(0) { $0 + $1.byteCount }
        for length in stride(from: 0, through: bytes.count, by: 997) + [start, bytes.count] {
            let path = try directory.write(bytes[..<length], to: "cut.mp4")
            let plays = try InterruptedMovie.cut(path: path)
            let left = Int(MediaFile.identity(ofFileAt: path)?.byteCount ?? -1)
            #expect(left <= length)
            guard plays else {
                #expect(left == length && length < start + 3_000 || length == 0)
                continue
            }
            // No complete fragment is lost.
            #expect(left >= (ends.last { $0 <= Int64(length) }).map(Int.init) ?? 0)
            #expect(MovieFragmentFields.offsets(in: Self.withoutDates(bytes[..<left])) != nil)
            let index = try MovieIndex.read(from: MediaFile(path: path))
            #expect(index.tracks[0].samples.count > 0)
        }
    }

    /// A recording is read without its dates if they are damaged, or those of an encoder that has no clock.
    @Test func damagedDatesAreLeftOut() throws {
        let push = try Push(seconds: 9)
        let path = try directory.file("a.mp4")
        let writer = try ArchiveMovieWriter(path: path, sections: push.sections)
        for row in push.rows { _ = try writer.append(push.archivable(row)) }
        let bytes = try bytesOfFile(path)
        func dates(_ change: (inout [UInt8], Int) -> Void) throws -> [ProgramDates] {
            var changed = bytes
            for index in 0..<bytes.count - 4 where bytes[index..<index + 4].elementsEqual("prft".utf8) {
                change(&changed, index)
            }
            let index = try MovieIndex.read(from: MediaFile(path: directory.write(changed, to: "changed.mp4")))
            #expect(index.tracks.allSatisfy { $0.samples.count > 0 })
            return index.tracks.map(\.dates)
        }
        let first = try #require(push.rows.first)
        for (dates, segment) in zip(try dates { _, _ in }, first) {
            #expect(dates.date(at: .zero(.milliseconds)) == segment.programDateTime)
        }
        // The date, the track, and the version, with which the box is too short.
        #expect(
            try dates { $0.replaceSubrange($1 + 12..<$1 + 20, with: Array(repeating: 0x83, count: 8)) }.allSatisfy(
                \.isEmpty))
        #expect(try dates { $0[$1 + 11] = 99 }.allSatisfy(\.isEmpty))
        #expect(try dates { $0[$1] = 0x78 }.allSatisfy(\.isEmpty))
    }

    /// The fragments of a file, without the dates between them.
    private static func withoutDates(_ file: some RandomAccessCollection<UInt8>) -> ByteBuffer {
        var rest = ByteBuffer(bytes: file)
        var fragments = ByteBuffer()
        while let size = rest.getInteger(at: rest.readerIndex, as: UInt32.self),
            let type = rest.getInteger(at: rest.readerIndex + 4, as: UInt32.self),
            var box = rest.readSlice(length: Int(size))
        {
            let isHeader = ["ftyp", "moov", "prft"].contains { FourCC(rawValue: type) == $0 }
            if !isHeader { fragments.writeBuffer(&box) }
        }
        return fragments
    }

    private func bytes(of segment: LiveSegment) -> ByteBuffer {
        var bytes = ByteBuffer()
        for part in segment.parts {
            bytes.writeImmutableBuffer(part.header)
            bytes.writeImmutableBuffer(part.media)
        }
        return bytes
    }
}
