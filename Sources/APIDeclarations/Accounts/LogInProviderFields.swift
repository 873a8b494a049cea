package import APIContract

/// The fields of a service with which people log in.
package struct LogInProviderFields: ObjectFields {
    package static let name = "LogInProvider"
    package static let fields = LogInProviderFields()

    package let id = Field<String>("id", "identifier of the service", .example("school"))
    package let name = Field<String>("name", "name of the service for people", .example("School account"))
    package let path = Field<String>(
        "path", "path that a browser opens to log in", .example("/cuenta/entrar/con/school"))

    package init() {}
}
