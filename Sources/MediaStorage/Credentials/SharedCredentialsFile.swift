import NIOCore

/// The credentials file that the AWS command line and most programs share: sections in brackets, `name = value` lines.
struct SharedCredentialsFile: Sendable {
    let path: String
    let profile: String
    /// True if the environment names the file or the profile, so that it is an error if it is missing.
    let isRequired: Bool

    /// The file holds keys, a few hundred bytes each.
    private static let maximumByteCount = 1 << 20

    /// - Parameter environment: The environment variables. The result is `nil` if they name neither a file nor a home
    ///   folder.
    init?(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let named = value("AWS_SHARED_CREDENTIALS_FILE")
        guard let path = named ?? value("HOME").map({ "\($0)/.aws/credentials" }) else { return nil }
        self.path = path
        profile = value("AWS_PROFILE") ?? "default"
        isRequired = named != nil || value("AWS_PROFILE") != nil
    }

    /// Reads the file. Waits for the disk.
    ///
    /// - Returns: The profile's credentials; `nil` if there are none and the environment names neither file nor
    ///   profile.
    /// - Throws: ``MediaStorageError`` with `noCredentials`.
    func credentials() throws -> StoreCredentials? {
        let text: String
        do {
            let file = try LocalFile(path)
            let count = try file.status().byteCount
            guard count <= Self.maximumByteCount else { throw error("is larger than 1 MiB") }
            text = String(buffer: try file.read(at: 0, count: Int(count)))
        } catch let error as MediaStorageError {
            guard error.code != .notFound || isRequired else { return nil }
            throw MediaStorageError(.noCredentials, error.reason)
        }
        let values = Self.values(ofProfile: profile, in: text)
        guard let values else {
            guard isRequired else { return nil }
            throw error("has no profile `\(profile)`")
        }
        guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw error("lacks `aws_access_key_id` or `aws_secret_access_key` in the profile `\(profile)`")
        }
        return StoreCredentials(
            accessKeyID: id, secretAccessKey: secret, sessionToken: values["aws_session_token"])
    }

    private func error(_ reason: String) -> MediaStorageError {
        MediaStorageError(.noCredentials, "the credentials file \(path) \(reason)")
    }

    /// The values of a section, by names in lower case; `nil` if there is no such section.
    private static func values(ofProfile profile: String, in text: String) -> [String: String]? {
        var values: [String: String]?
        var isWanted = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                isWanted = line[line.index(after: line.startIndex)..<end].trimmingSpaces == profile
                if isWanted, values == nil { values = [:] }
            } else if isWanted, let equals = line.firstIndex(of: "=") {
                let value = line[line.index(after: equals)...].trimmingSpaces
                guard !value.isEmpty else { continue }
                values?[line[..<equals].trimmingSpaces.lowercased()] = String(value)
            }
        }
        return values
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? ""
    }
}
