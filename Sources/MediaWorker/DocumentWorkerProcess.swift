import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage
package import TableDocuments

/// Runs the hidden `document-worker` subcommand of this program for each document.
package struct DocumentWorkerProcess: DocumentPrinting {
    private let executable: String
    private let environment: [String]

    /// Limit of the reason that a worker gives.
    private static let maximumReasonByteCount = 4_096
    /// Seconds after the worker's own deadline, at which it should have ended by itself.
    private static let grace = Duration.seconds(5)

    /// - Parameters:
    ///   - executable: absolute path of `antena`.
    ///   - environment: the variables of the worker as "NAME=value"; it must not see those of the server.
    package init(executable: String = "/proc/self/exe", environment: [String] = ["LANG=C.UTF-8"]) {
        (self.executable, self.environment) = (executable, environment)
    }

    private enum Finding: Sendable {
        case inputWritten
        case output([UInt8])
        case reason(String)
    }

    package func pdf(_ document: TableDocument) async throws -> [UInt8] {
        let input = Array(try JSONEncoder().encode(document))
        guard input.count <= TableDocument.maximumByteCount else {
            throw PDFError(.tooLarge, "the document is too large; choose fewer rows")
        }
        let status: TerminationStatus
        let output: [UInt8]
        let reason: String
        do {
            (status, output, reason) = try await run(input)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            if let error = error as? PDFError { throw error }
            throw PDFError(.failed, "the worker could not be run: \(error)")
        }
        try Task.checkCancellation()
        switch status {
        case .exited(0) where output.starts(with: "%PDF-".utf8): return output
        case .exited(DocumentWorker.Status.librariesMissing.rawValue): throw PDFError(.librariesMissing, reason)
        case .exited(DocumentWorker.Status.tooLarge.rawValue): throw PDFError(.tooLarge, reason)
        case .exited(DocumentWorker.Status.failed.rawValue): throw PDFError(.failed, reason)
        default: throw PDFError(.failed, "the worker ended with \(status)")
        }
    }

    private func run(_ input: [UInt8]) async throws -> (TerminationStatus, [UInt8], String) {
        let variables = environment.map { Array($0.utf8) + [0] }
        let result = try await Subprocess.run(
            .path(FilePath(executable)), arguments: [DocumentWorker.argument], environment: .custom(variables),
            input: .inputWriter, output: .sequence, error: .sequence
        ) { execution in
            try await withThrowingTaskGroup(of: Finding.self) { group in
                group.addTask {
                    // A worker that ends early says why.
                    _ = try? await execution.standardInputWriter.write(input)
                    try? await execution.standardInputWriter.finish()
                    return .inputWritten
                }
                group.addTask { .output(try await Self.output(execution.standardOutput)) }
                group.addTask { .reason(try await Self.reason(execution.standardError)) }
                group.addTask {
                    try await Task.sleep(for: .seconds(DocumentWorker.limits.wallClockSeconds) + Self.grace)
                    throw PDFError(.failed, "the document took too long")
                }
                var (output, reason) = ([UInt8](), "")
                for _ in 0..<3 {
                    switch try await group.next() {
                    case .output(let bytes): output = bytes
                    case .reason(let text): reason = text
                    case .inputWritten, nil: break
                    }
                }
                group.cancelAll()
                return (output, reason)
            }
        }
        return (result.terminationStatus, result.closureResult.0, result.closureResult.1)
    }

    private static func output(_ sequence: SubprocessOutputSequence) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await buffer in sequence {
            buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
            guard bytes.count <= DocumentWorker.maximumFileByteCount else {
                throw PDFError(.tooLarge, "the document is too large; choose fewer rows")
            }
        }
        return bytes
    }

    /// The last line of standard error; the libraries may warn before it.
    private static func reason(_ sequence: SubprocessOutputSequence) async throws -> String {
        var bytes: [UInt8] = []
        for try await buffer in sequence {
            buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
            if bytes.count > maximumReasonByteCount { bytes.removeFirst(bytes.count - maximumReasonByteCount) }
        }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
        return TagText.clean(line) ?? "the document could not be made"
    }
}
