import Foundation
import TestSupport
import Testing

@testable import LibAV

/// The calls that remain open to a compromised worker: `Tests/ConfinementProbe` tries them inside the confinement.
struct ConfinementProbeTests {
    private static let allowed: Set<String> = ["read-own", "write-own", "own-limit", "own-signal", "thread"]

    private static func probe() throws -> ExternalTool {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return ExternalTool(
            path: URL(filePath: tests).deletingLastPathComponent().appending(path: "confinement-probe").path)
    }

    /// A thread that was there before would stay free to open every file.
    @Test func aProcessWithASecondThreadIsNotConfined() async throws {
        let folder = try TemporaryDirectory(label: "confinement")
        let input = try folder.write("in", to: "in.mkv")
        let result = try await Self.probe().run(["0", input, folder.path, input, "beside-a-thread"])
        #expect(result.text == "confine EBUSY\n")
    }

    @Test(.enabled(if: LibAVRuntime.missingConfinement.isEmpty, "the kernel lacks Landlock or seccomp"))
    func aWorkerCannotTouchOtherProcessesOrFiles() async throws {
        let folder = try TemporaryDirectory(label: "confinement")
        let (input, foreign) = (try folder.write("in", to: "in.mkv"), try folder.write("x", to: "other/secret"))
        try FileManager.default.createDirectory(atPath: "\(folder.path)/job", withIntermediateDirectories: true)
        let victim = Process()
        victim.executableURL = URL(filePath: "/bin/sleep")
        victim.arguments = ["600"]
        try victim.run()
        // A child starts with the signal mask of the thread that started it, in which SIGTERM may be blocked.
        defer { kill(victim.processIdentifier, SIGKILL) }
        let result = try await Self.probe().run(
            ["\(victim.processIdentifier)", input, "\(folder.path)/job", foreign], requiringSuccess: false)
        // abort(3) signals the process itself, and must keep working.
        #expect(result.status == -SIGABRT)
        let text = result.text
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.count > 40)
        for line in lines {
            let (name, outcome) = (line[0], line[1])
            switch name {
            case _ where Self.allowed.contains(name): #expect(outcome == "ok", "\(name)")
            // libc then uses clone, whose flags the filter can check.
            case "clone3": #expect(outcome == "ENOSYS")
            default: #expect(["EPERM", "EACCES", "EXDEV"].contains(outcome), "\(name): \(outcome)")
            }
        }
        #expect(victim.isRunning)
        #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "x")
    }
}
