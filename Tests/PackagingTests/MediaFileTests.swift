import Foundation
import NIOCore
import Packaging
import TestSupport
import Testing

/// Extends a file without writing.
func makeSparse(_ path: String, byteCount: UInt64) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: byteCount)
    try handle.close()
}

struct MediaFileTests {
    /// The content of the file: byte n is n modulo 251.
    private static let content = (0..<300_000).map { UInt8($0 % 251) }

    private func file(_ directory: TemporaryDirectory) throws -> MediaFile {
        try MediaFile(path: try directory.write(Self.content, to: "content"))
    }

    static let rangeLists: [[(Int, Int)]] = [
        [], [(0, 1)], [(0, 300_000)], [(299_999, 1)],
        [(0, 10), (10, 10)],  // neighbours
        [(0, 10), (11, 10), (5_000, 3)],  // small gaps
        [(0, 10), (32_778, 10), (65_557, 10)],  // gaps of just the limit, and one more
        [(200_000, 10), (0, 10), (100_000, 10)],  // backwards
        [(5, 10), (5, 10), (0, 20)],  // overlapping
        [(7, 0), (9, 1), (12, 0), (299_000, 1_000)],  // nothing to read in some
        (0..<2_500).map { ($0 * 100, 3) },  // more than one call takes
        (0..<1_200).map { ($0 * 2, 1) },
    ]

    @Test(arguments: rangeLists, [false, true])
    func readsRangesInTheirOrder(_ list: [(Int, Int)], _ cachedOnly: Bool) throws {
        let directory = try TemporaryDirectory(label: "ranges")
        let file = try file(directory)
        let ranges = list.map { FileRange(offset: Int64($0.0), byteCount: $0.1) }
        var buffer = ByteBuffer(string: "before")
        let isComplete = try file.appendRanges(ranges, to: &buffer, cachedOnly: cachedOnly)
        // Data that was just written is in the page cache, unless the file system cannot tell.
        guard isComplete else {
            #expect(cachedOnly)
            #expect(buffer == ByteBuffer(string: "before"))
            return
        }
        let expected = list.flatMap { Array(Self.content[$0.0..<($0.0 + $0.1)]) }
        #expect(Array(buffer.readableBytesView) == Array("before".utf8) + expected)
    }

    @Test(arguments: [(300_000, 1), (299_999, 2), (0, 300_001), (5_000_000, 1), (-1, 1)])
    func aRangeBeyondTheEndThrowsAndLeavesTheBufferAlone(_ offset: Int, _ count: Int) throws {
        let directory = try TemporaryDirectory(label: "ranges")
        let file = try file(directory)
        var buffer = ByteBuffer(string: "before")
        let ranges = [FileRange(offset: 0, byteCount: 5), FileRange(offset: Int64(offset), byteCount: count)]
        let error = #expect(throws: MediaFileError.self) {
            try file.appendRanges(ranges, to: &buffer, cachedOnly: false)
        }
        #expect(error?.description.contains(file.path) == true)
        #expect(buffer == ByteBuffer(string: "before"))
        #expect(throws: MediaFileError.self) { try file.read(at: Int64(offset), count: count) }
    }

    @Test func aNegativeCountAndAnOffsetAtTheEndOfTimeThrow() throws {
        let directory = try TemporaryDirectory(label: "ranges")
        let file = try file(directory)
        #expect(throws: MediaFileError.self) { try file.read(at: 0, count: -1) }
        #expect(throws: MediaFileError.self) { try file.read(at: .max, count: 1) }
        #expect(throws: MediaFileError.self) { try file.read(at: 0, count: .max) }
        #expect(try file.read(at: 300_000, count: 0).readableBytes == 0)
        #expect(Array(try file.read(at: 251, count: 3).readableBytesView) == [0, 1, 2])
    }

    @Test func aFileThatBecameShorterThrows() throws {
        let directory = try TemporaryDirectory(label: "ranges")
        let file = try file(directory)
        try makeSparse(file.path, byteCount: 1_000)
        var buffer = ByteBuffer()
        #expect(throws: MediaFileError.self) {
            try file.appendRanges([FileRange(offset: 900, byteCount: 200)], to: &buffer, cachedOnly: false)
        }
        #expect(try file.appendRanges([FileRange(offset: 900, byteCount: 200)], to: &buffer, cachedOnly: true) == false)
        #expect(buffer.readableBytes == 0)
        #expect(MediaFile.identity(ofFileAt: file.path) != file.identity)
    }

    @Test func tellsAFileFromItsSuccessor() throws {
        let directory = try TemporaryDirectory(label: "identity")
        let path = try directory.write("first", to: "movie")
        let file = try MediaFile(path: path)
        #expect(MediaFile.identity(ofFileAt: path) == file.identity)
        try FileManager.default.removeItem(atPath: path)
        #expect(MediaFile.identity(ofFileAt: path) == nil)
        try directory.write("other", to: "movie")
        #expect(MediaFile.identity(ofFileAt: path) != file.identity)
        // The old file can still be read.
        #expect(try file.read(at: 0, count: 5) == ByteBuffer(string: "first"))
    }

    @Test func whatIsNoRegularFileIsRefusedAtOnce() throws {
        let directory = try TemporaryDirectory(label: "kinds")
        let pipe = try directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for (path, reason) in [
            (pipe, "regular file"), (directory.path, "Is a directory"), ("\(directory.path)/none", "No such file"),
        ] {
            let error = #expect(throws: MediaFileError.self) { try MediaFile(path: path) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
            #expect(error?.description.contains("Success") == false)
        }
    }
}
