import Foundation

/// A program that tests run, such as ffmpeg, ffprobe or gzip.
package struct ExternalTool: Sendable {
    package let path: String

    /// The program is not installed.
    package struct NotFound: Error, CustomStringConvertible {
        package var name: String
        package var description: String { "\(name) is not installed; `make test` installs it" }
    }

    /// The program is not in `Scripts/programs.txt`, so that other machines lack it, whether this one has it or not.
    package struct NotListed: Error, CustomStringConvertible {
        package var name: String
        package var description: String {
            "\(name) is not in Scripts/programs.txt, from which `make test` installs programs; add it with its package"
        }
    }

    /// The programs that `Scripts/setup.sh test` installs.
    private static let listed: Set<String> = {
        let list = (try? String(contentsOfFile: "\(Repository.path)/Scripts/programs.txt", encoding: .utf8)) ?? ""
        return Set(
            list.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard !line.hasPrefix("#"), words.count == 3, words[2].split(separator: ",").contains("test") else {
                    return nil
                }
                return String(words[0])
            })
    }()

    /// The result of a finished process.
    package struct Result: Sendable {
        /// The exit code, or minus the signal's number.
        package var status: Int32
        package var output: [UInt8]
        package var errorOutput: String

        package var text: String { String(decoding: output, as: UTF8.self) }
        package var lines: [Substring] { text.split(separator: "\n") }
    }

    /// A process failed or timed out.
    package struct Failure: Error, CustomStringConvertible {
        package var command: String
        package var reason: String
        package var errorOutput: String
        package var description: String { "\(command)\n\(reason)\n\(errorOutput.suffix(2_000))" }
    }

    /// Finds the program in PATH.
    ///
    /// - Parameter name: A program of `Scripts/programs.txt`.
    /// - Throws: ``NotListed``, ``NotFound``
    package init(_ name: String) throws {
        guard Self.listed.contains(name) else { throw NotListed(name: name) }
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let candidates = (folders + ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"]).map { "\($0)/\(name)" }
        guard let path = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw NotFound(name: name)
        }
        self.path = path
    }

    /// Uses the program at `path`, such as one of this package.
    package init(path: String) { self.path = path }

    package static func ffmpeg() throws -> ExternalTool { try ExternalTool("ffmpeg") }
    package static func ffprobe() throws -> ExternalTool { try ExternalTool("ffprobe") }

    /// Runs the program to its end.
    ///
    /// Output is written to files, so that a full pipe cannot block the process.
    ///
    /// - Parameters:
    ///   - deadline: seconds after which the process is killed, which is an error.
    ///   - requiringSuccess: whether an exit code other than zero is an error.
    package func run(
        _ arguments: [String], deadline: Double = 60, requiringSuccess: Bool = true
    ) async throws -> Result {
        let scratch = try TemporaryDirectory(label: "process")
        let (output, errorOutput) = (try scratch.write("", to: "out"), try scratch.write("", to: "err"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let files = try process.sendOutput(to: output, errorOutput: errorOutput)
        defer { files.close() }
        let status = try await finish(process, deadline: deadline)
        let result = Result(
            status: status.code, output: try bytesOfFile(output),
            errorOutput: String(decoding: try bytesOfFile(errorOutput), as: UTF8.self))
        let command = ([path] + arguments).joined(separator: " ")
        guard !status.wasKilled else {
            throw Failure(
                command: command, reason: "killed after \(deadline) s", errorOutput: result.errorOutput)
        }
        guard !requiringSuccess || result.status == 0 else {
            throw Failure(
                command: command, reason: "ended with \(result.status)", errorOutput: result.errorOutput)
        }
        return result
    }

    private func finish(_ process: Process, deadline: Double) async throws -> (code: Int32, wasKilled: Bool) {
        let watchdog = Watchdog(process)
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let isSignal = process.terminationReason == .uncaughtSignal
                continuation.resume(
                    returning: (
                        isSignal ? -process.terminationStatus : process.terminationStatus, watchdog.disarm()
                    ))
            }
            do {
                try process.run()
                watchdog.arm(seconds: deadline)
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}

/// Kills a process that exceeds its deadline.
///
/// `@unchecked Sendable`: the state is guarded by `lock`; of `Process` only the process ID is read.
private final class Watchdog: @unchecked Sendable {
    private let process: Process
    private let lock = NSLock()
    private var isOver = false
    private var hasKilled = false

    init(_ process: Process) { self.process = process }

    func arm(seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
            lock.withLock {
                guard !isOver else { return }
                hasKilled = true
                kill(process.processIdentifier, SIGKILL)
            }
        }
    }

    /// Stops the watchdog.
    ///
    /// - Returns: whether it has killed the process.
    func disarm() -> Bool {
        lock.withLock {
            isOver = true
            return hasKilled
        }
    }
}
