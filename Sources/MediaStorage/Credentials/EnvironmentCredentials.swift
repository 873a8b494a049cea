/// Credentials in the environment variables.
enum EnvironmentCredentials {
    /// - Returns: The credentials; `nil` if the variables are not set.
    /// - Throws: ``MediaStorageError`` with `noCredentials` if one of the two variables is missing.
    static func credentials(in environment: [String: String]) throws -> StoreCredentials? {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let (id, secret) = (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY"))
        guard id != nil || secret != nil else { return nil }
        guard let id, let secret else {
            let (given, missing) =
                id == nil
                ? ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID") : ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
            throw MediaStorageError(.noCredentials, "\(given) is set, but \(missing) is not; set both")
        }
        return StoreCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: value("AWS_SESSION_TOKEN"))
    }
}
