import FoundationEssentials
import Glibc
import LibAV
import TableDocuments

/// The body of `antena document-worker`: makes one document of texts that strangers have written, in a process that may
/// read fonts and nothing else.
package enum DocumentWorker {
    /// The argument that makes the program this worker.
    package static let argument = "document-worker"
    /// Limit of a document's file: 10,000 rows are about 3 MB.
    static let maximumFileByteCount = 32 << 20
    static let limits = WorkerLimits(
        addressSpaceByteCount: 1 << 30, cpuSeconds: 60, fileByteCount: 0, wallClockSeconds: 60)

    /// The exit status that says what went wrong; standard error has the reason.
    enum Status: Int32 {
        case failed = 1
        case librariesMissing = 3
        case tooLarge = 4
    }

    /// Reads a `TableDocument` as JSON from standard input and writes it as PDF to standard output.
    ///
    /// - Returns: the exit status: 0, or a `Status`.
    package static func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        do throws(PDFError) {
            // Before the process is confined, as it may not read libraries after that.
            try PDFLibraries.load()
            let confinement = WorkerConfinement.apply(limits, readableFolders: PDFLibraries.readableFolders)
            if let confinement { throw PDFError(.failed, "cannot limit the worker: \(confinement)") }
            alarm(UInt32(limits.wallClockSeconds))
            guard let bytes = readInput(),
                let document = try? JSONDecoder().decode(TableDocument.self, from: Data(bytes))
            else { throw PDFError(.failed, "document-worker expects one JSON document on standard input") }
            guard write(try document.pdf(maximumByteCount: maximumFileByteCount), to: STDOUT_FILENO) else {
                throw PDFError(.failed, "the document could not be written; standard output must be a pipe")
            }
            return 0
        } catch {
            _ = write(Array("\(error.reason)\n".utf8), to: STDERR_FILENO)
            let status: Status =
                switch error.code {
                case .librariesMissing: .librariesMissing
                case .tooLarge: .tooLarge
                case .failed: .failed
                }
            return status.rawValue
        }
    }

    private static func readInput() -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= TableDocument.maximumByteCount {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes.append(contentsOf: piece[..<count])
        }
        return nil
    }

    /// - Returns: whether all bytes were written.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }
}
