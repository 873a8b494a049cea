package import APIContract

/// The fields of the permissions of an account on one channel beyond its role.
package struct PermissionGrantFields: ObjectFields {
    package static let name = "PermissionGrant"
    package static let isClosed = true
    package static let fields = PermissionGrantFields()

    package let permissions = Field<[String]>(
        "permissions", "permissions beyond the role: read, publish, record, score; an empty list removes the grant",
        .maximumCount(100),
        .each(
            .oneOf(
                "read", "publish", "record", "upload", "comment", "moderate", "score", "rent", "manage", "administer")))

    package init() {}
}
