package import APIContract
package import JSONDocument

/// The fields of a change of the settings in channels.json, but for its channels.
package struct ConfigurationChangeFields: ObjectFields {
    package static let name = "ConfigurationChange"
    package static let fields = ConfigurationChangeFields()

    package let channels = Field<JSONText>(
        "channels", "never accepted here; /api/v1/configuration/channels/{name} changes channels", .optional,
        .schema(.boolean(false)))

    package init() {}
}
