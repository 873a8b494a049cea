package import APIContract

/// The fields of a session of an account.
package struct SessionFields: ObjectFields {
    package static let name = "Session"
    package static let fields = SessionFields()

    package let id = Field<String>("id", "identifier of the session", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let isThis = Field<Bool>("isThis", "whether it is the session of this request")
    package let device = Field<String>(
        "device", "User-Agent of the browser or program that logged in", .example("Mozilla/5.0"))
    package let address = Field<String>("address", "network address of the last use", .example("192.0.2.7"))
    package let createdAt = Field<APITime>("createdAt", "time of the log-in")
    package let lastUsedAt = Field<APITime>("lastUsedAt", "time of the last use, to the minute")
    package let expiresAt = Field<APITime>("expiresAt", "time at which the session ends in any case")
    package let staysLoggedIn = Field<Bool>("staysLoggedIn", "whether the session lasts longer than the browser runs")

    package init() {}
}
