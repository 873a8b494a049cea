package import APIContract

/// The fields of a request that starts or stops a relay.
package struct RelayChangeFields: ObjectFields {
    package static let name = "RelayChange"
    package static let fields = RelayChangeFields()

    package let action = Field<String>("action", "start or stop of the relay", .oneOf("start", "stop"))

    package init() {}
}
