package import APIContract

/// The fields of a device's report about its offline copy.
package struct CopyStateChangeFields: ObjectFields {
    package static let name = "CopyStateChange"
    package static let isClosed = true
    package static let fields = CopyStateChangeFields()

    package let state = Field<CopyState>("state", "state of the copy on the device")

    package init() {}
}
