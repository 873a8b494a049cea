package import APIContract

/// The fields of a preset that does not suit a title.
package struct OmittedRungFields: ObjectFields {
    package static let name = "OmittedRung"
    package static let fields = OmittedRungFields()

    package let preset = Field<String>("preset", "name of the preset", .example("full"))
    package let reason = Field<String>("reason", "reason why the preset does not suit the title")

    package init() {}
}
