package import APIContract

/// The fields of a change of a job.
package struct JobChangeFields: ObjectFields {
    package static let name = "JobChange"
    package static let fields = JobChangeFields()

    package let priority = Field<Int>(setting: JobFields.fields.priority, .minimum(-100), .maximum(100))

    package init() {}
}
