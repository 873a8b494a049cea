package import Foundation

/// The files into which a program writes. They stay open here until they are closed, even if the program has ended, and
/// with more than some thousand open files Foundation's `Process` breaks.
package struct OutputFiles {
    fileprivate let handles: [FileHandle]

    /// Closes the files on this side, once the program runs.
    package func close() { for handle in handles { try? handle.close() } }
}

extension Process {
    /// Sends what the program writes to files. Call it before the program runs.
    package func sendOutput(to output: String, errorOutput: String) throws -> OutputFiles {
        let handles = try [output, errorOutput].map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
        (standardOutput, standardError) = (handles[0], handles[1])
        return OutputFiles(handles: handles)
    }
}
