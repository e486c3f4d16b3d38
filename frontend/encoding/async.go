package encoding

// The types of libcu++ for asynchronous copies: structs of the prelude whose first member is asyncMember.
const (
	TypeBarrier       = "__kl_barrier"        // cuda::barrier
	TypePipeline      = "__kl_pipeline"       // cuda::pipeline of one work item
	TypePipelineAll   = "__kl_pipeline_all"   // of all work items of the group
	TypePipelineState = "__kl_pipeline_state" // cuda::pipeline_shared_state
	TypeAlignedSize   = "__kl_aligned_size"   // cuda::aligned_size_t
)

// AsyncMember is what the first member of these types is called.
const AsyncMember = "__kl_state"

// Functions whose template argument has become their first: pipeline_consumer_wait_prior<N>(pipe)
// and aligned_size_t<N>(n).
const (
	WaitPrior   = "__kl_wait_prior"
	MakeAligned = "__kl_make_aligned_size"
)

// WaitBulk is cp_async_bulk_wait_group_read<N>(), whose template argument has become its own.
const WaitBulk = "__kl_wait_bulk"

// What is said of pipelines that only some work items fill.
const (
	PipelineRoles       = "a pipeline of which some work items only produce and others only consume is"
	PipelineRolesAdvice = "let all work items of the group do both"
)
