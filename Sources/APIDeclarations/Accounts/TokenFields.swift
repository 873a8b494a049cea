package import APIContract

/// The fields of an API token or app password.
package struct TokenFields: ObjectFields {
    package static let name = "Token"
    package static let fields = TokenFields()

    package let id = Field<String>("id", "identifier of the credential", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let kind = Field<String>(
        "kind", "kind of the credential: for Authorization: Bearer, or in place of a password",
        .oneOf("apiToken", "appPassword"))
    package let name = Field<String>("name", "name that the owner has for the credential", .example("backup"))
    package let permissions = Field<[String]>("permissions", "permissions to which the credential is limited")
    package let channels = Field<[String]?>(
        "channels", "names of the channels to which the credential is limited; null for no limit")
    package let createdAt = Field<APITime>("createdAt", "time of creation")
    package let expiresAt = Field<APITime?>("expiresAt", "time at which the credential expires; null if it does not")
    package let lastUsedAt = Field<APITime?>(
        "lastUsedAt", "time of the last use, to the minute; null if there was none")
    package let lastAddress = Field<String?>(
        "lastAddress", "network address of the last use; null if there was none", .example("192.0.2.7"))
    package let secret = Field<String>("secret", "the credential itself; only in the answer that makes it", .optional)

    package init() {}
}
