import Glibc
import LibraryCore
import MediaCore
import MediaFolders
import Packaging

/// The reason why a file could not be taken into the library, as its record says: `NAME: reason`, on one line, with the
/// name once and without the server's folders.
struct FailureText: Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// Limit on the characters of the reason. The output of a failing worker can be a megabyte; operators read a
    /// sentence or two.
    static let maximumReasonCharacterCount = 500

    /// - Parameter directories: the server's own folders, which are left out of the text because viewers can read it.
    init(_ error: any Error, file: FoundFile, directories: [String]) {
        let reason = (error as? MediaFileError).map(Self.reason(of:)) ?? "\(error)"
        self.init(reason: reason, file: file, directories: directories)
    }

    init(reason text: String, file: FoundFile, directories: [String]) {
        var reason = text
        let lastName = file.name.pathComponents.last.map(String.init) ?? file.name
        reason = reason.replacing(file.path, with: lastName)
        for directory in directories where directory.count > 1 { reason = reason.replacing(directory + "/", with: "") }
        for prefix in ["\(file.name): ", "\(lastName): "] {
            while reason.hasPrefix(prefix) { reason.removeFirst(prefix.count) }
        }
        reason = reason.replacing("\(lastName): ", with: "")
        reason = String(reason.prefix(Self.maximumReasonCharacterCount).map { $0.isNewline ? " " : $0 })
        description = "\(file.name): \(reason)"
    }

    private static func reason(of error: MediaFileError) -> String {
        "cannot \(error.operation) it: \(String(cString: strerror(error.errno)))"
    }
}

extension VODLibraryConfiguration {
    /// The server's own folders, which failures do not name.
    var ownDirectories: [String] {
        [mediaDirectory, dataDirectory].flatMap { directory in
            LibrarySection.allCases.map { "\(directory)/\($0.rawValue)" }
                + DerivedFiles.Folder.allCases.map { "\(directory)/\($0.rawValue)" } + [directory]
        }
    }
}
