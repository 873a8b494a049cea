package import APIContract

/// The operator token in a server's data folder.
extension OperatorToken {
    private static let file = SecretFile(
        name: fileName, purpose: "operator token", remedy: "delete it, and the server makes a new one")

    /// Reads the token of a data folder, or creates one at the first start. The caller holds the folder's lock.
    ///
    /// - Returns: the token, and whether it was just created.
    /// - Throws: ``ServerStartError`` if the file is damaged, cannot be read or created, or is readable by other users.
    package static func load(
        orMakeIn folder: String
    ) throws(ServerStartError) -> (token: OperatorToken, isNew: Bool) {
        let (digits, isNew) = try file.load(orMakeIn: folder)
        guard let token = OperatorToken(parsing: digits) else {
            preconditionFailure("the file's digits are those of a token")
        }
        return (token, isNew)
    }
}
