package import APIContract

/// The fields of the changes that a new channels.json has made.
package struct ReloadFields: ObjectFields {
    package static let name = "Reload"
    package static let fields = ReloadFields()

    package let added = Field<[String]>("added", "names of the channels that were added")
    package let changed = Field<[String]>("changed", "names of the channels that were changed")
    package let removed = Field<[String]>("removed", "names of the channels that were removed")
    package let unchanged = Field<Int>("unchanged", "number of channels that did not change")
    package let presetsChanged = Field<Bool>("presetsChanged", "whether the presets have changed")
    package let ladderChanged = Field<Bool>("ladderChanged", "whether the settings of ladders have changed")
    package let encryptionChanged = Field<Bool>("encryptionChanged", "whether the settings of encryption have changed")

    package init() {}
}
