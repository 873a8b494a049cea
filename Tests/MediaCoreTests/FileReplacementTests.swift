import Foundation
import TestSupport
import Testing

@testable import MediaCore

@Suite struct FileReplacementTests {
    private let folder: TemporaryDirectory
    private var path: String { "\(folder.path)/clock.json" }

    init() throws { folder = try TemporaryDirectory() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func manyWritersOfOneFileLeaveTheBytesOfOne() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    for _ in 0..<10 {
                        try FileReplacement.write([UInt8](repeating: UInt8(number), count: 4_096), to: path)
                    }
                }
            }
            try await group.waitForAll()
        }
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.count == 4_096 && Set(bytes).count == 1)
        #expect(try names() == ["clock.json"])
    }

    @Test func thePermissionsAreThoseThatWereAskedFor() throws {
        try FileReplacement.write([1], to: path)
        #expect(try permissions() == 0o600)
        try FileReplacement.write([2], to: path, permissions: 0o644, durability: .inCache)
        #expect(try permissions() == 0o644)
    }

    private func permissions() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func aWriteThatFailsLeavesTheOldBytesAndNothingElse() throws {
        try FileReplacement.write([1], to: path)
        #expect(throws: FileReplacement.Failure(path: path, number: EACCES)) {
            try FileReplacement.write([2], to: path) { _ in
                errno = EACCES
                return false
            }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1]))
        #expect(try names() == ["clock.json"])
        let missing = "\(folder.path)/none/a"
        #expect(throws: FileReplacement.Failure(path: missing, number: ENOENT)) {
            try FileReplacement.write([1], to: missing)
        }
    }

    @Test func unfinishedNamesAreHiddenDifferentAndShortEnough() {
        let names = (0..<100).map { _ in FileReplacement.unfinishedPath(for: "/a/b.json") }
        #expect(Set(names).count == 100)
        for name in names {
            #expect(name.hasPrefix("/a/.b.json.new-"))
            #expect(FileReplacement.isUnfinished(name: String(name.dropFirst(3))))
        }
        #expect(FileReplacement.unfinishedPath(for: "a").hasPrefix("./.a.new-"))
        #expect(FileReplacement.unfinishedPath(for: "/a").hasPrefix("/./.a.new-"))
        let long = FileReplacement.unfinishedPath(for: "/" + String(repeating: "ñ", count: 127))
        #expect(long.split(separator: "/").last?.utf8.count ?? 0 <= 255)
        for name in ["clock.json", ".a.new-12", "a.new-0123456789abcdef", ".a.new-0123456789abcdeg"] {
            #expect(!FileReplacement.isUnfinished(name: name))
        }
    }

    /// A file that a killed process left goes; one that somebody writes, and one that was begun a moment ago, stay.
    @Test func whatACrashLeftIsRemovedAndWhatIsBeingWrittenStays() throws {
        let (left, held) = (FileReplacement.unfinishedPath(for: path), FileReplacement.unfinishedPath(for: path))
        let folderLeft = FileReplacement.unfinishedPath(for: "\(folder.path)/export")
        for file in [left, held, "\(folder.path)/other"] {
            #expect(FileManager.default.createFile(atPath: file, contents: Data([1])))
        }
        try FileManager.default.createDirectory(atPath: "\(folderLeft)/inside", withIntermediateDirectories: true)
        let lock = open(held, O_RDONLY | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        defer { close(lock) }
        let now = WallClock.system.now()
        #expect(FileReplacement.sweep(folder.path, now: now) == 0)
        #expect(FileReplacement.sweep(folder.path, now: now + .seconds(120)) == 2)
        let kept = (held as NSString).lastPathComponent
        #expect(try names() == [kept, "other"].sorted())
    }
}
