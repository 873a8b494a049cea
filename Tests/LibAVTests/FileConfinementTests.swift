import Foundation
import TestSupport
import Testing

@testable import LibAV

struct FileConfinementTests {
    private struct Attempts: Sendable, Equatable {
        var result: Int32 = 0
        var opensInput = false
        var opensNeighbour = false
        var opensSystemFile = false
        var writesToFolder = false
        var renamesInFolder = false
        var writesElsewhere = false
        var deletesInput = false
    }

    /// Runs attempts on a thread of their own: Landlock applies to a thread and its children, and ends with it.
    private func attempt(_ folder: TemporaryDirectory) async throws -> Attempts {
        let (input, neighbour) = (try folder.write("in", to: "media/in.mkv"), try folder.write("x", to: "media/x.mkv"))
        let output = try folder.file("data/out")
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                func opens(_ path: String, _ flags: Int32) -> Bool {
                    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
                    if descriptor >= 0 { close(descriptor) }
                    return descriptor >= 0
                }
                var attempts = Attempts()
                attempts.result = LibAVRuntime.confineFiles(readable: input, writableFolder: "\(folder.path)/data")
                attempts.opensInput = opens(input, O_RDONLY)
                attempts.opensNeighbour = opens(neighbour, O_RDONLY)
                attempts.opensSystemFile = opens("/etc/passwd", O_RDONLY)
                attempts.writesToFolder = opens(output + ".part", O_RDWR | O_CREAT | O_TRUNC)
                attempts.renamesInFolder = rename(output + ".part", output) == 0
                attempts.writesElsewhere = opens("\(folder.path)/media/new", O_WRONLY | O_CREAT)
                attempts.deletesInput = unlink(input) == 0
                continuation.resume(returning: attempts)
            }
        }
    }

    @Test func readsOneFileAndWritesBelowOneFolder() async throws {
        let attempts = try await attempt(try TemporaryDirectory(label: "landlock"))
        #expect(
            attempts
                == Attempts(opensInput: true, writesToFolder: true, renamesInFolder: true))
    }

    private struct DeviceAttempts: Sendable, Equatable {
        var result: Int32 = 0
        var readsNamedFolder = false
        var writesNamedFolder = false
        var writesNamedFile = false
        var createsInNamedFolder = false
        var namesAnotherThread = false
        var opensSystemFile = false
    }

    /// A device's driver needs additional files, and only then: CUDA's names its threads.
    @Test func whatADeviceNeedsIsOpenToo() async throws {
        let folder = try TemporaryDirectory(label: "landlock")
        let (library, device) = (try folder.write("x", to: "lib/a.so"), try folder.write("x", to: "dev/node"))
        let more = FileConfinement(
            readable: ["\(folder.path)/lib", "\(folder.path)/missing"],
            writable: [device, "\(folder.path)/dev", "/proc/self/task"])
        let attempts = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                @Sendable func opens(_ path: String, _ flags: Int32) -> Bool {
                    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
                    if descriptor >= 0 { close(descriptor) }
                    return descriptor >= 0
                }
                var attempts = DeviceAttempts()
                attempts.result = LibAVRuntime.confineFiles(readable: nil, writableFolder: nil, more: more)
                attempts.readsNamedFolder = opens(library, O_RDONLY)
                attempts.writesNamedFolder = opens(library, O_RDWR)
                attempts.writesNamedFile = opens(device, O_RDWR)
                attempts.createsInNamedFolder = opens("\(folder.path)/dev/new", O_WRONLY | O_CREAT)
                attempts.opensSystemFile = opens("/etc/passwd", O_RDONLY)
                // A thread that is started after the confinement.
                Thread.detachNewThread { [attempts] in
                    var attempts = attempts
                    attempts.namesAnotherThread = opens("/proc/thread-self/comm", O_WRONLY)
                    continuation.resume(returning: attempts)
                }
            }
        }
        #expect(
            attempts == DeviceAttempts(readsNamedFolder: true, writesNamedFile: true, namesAnotherThread: true))
    }
}
