import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{B as i,R as a,U as o,W as s,X as c,at as l,f as u,j as d,s as f,t as p}from"./client-PageHead-9a8fb5a8.js";import{f as m,p as h}from"./client-8c346383.js";import{t as g}from"./client-LiveList-957adbc7.js";import{t as _}from"./client-pages-9e3781ed.js";var v=n(),y=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[n],storageKey:null},{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[n,{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},r,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},i],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`3ba3a8ff44e34d51baf52f90fde72aac`,id:null,metadata:{},name:`LivePageQuery`,operationKind:`query`,text:`query LivePageQuery(
  $first: Int!
) {
  viewer {
    liveFeed(first: $first) {
      syncToken
    }
    ...LivePage_viewer_3ASum4
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment LivePage_viewer_3ASum4 on Viewer {
  liveFeed(first: $first) {
    snapshotAt
    edges {
      cursor
      state
      node {
        id
        ...LiveCard_session
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})(),b=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`d9e203e0c1cd93e1045588febdaf3b5f`,id:null,metadata:{},name:`LivePagePageQuery`,operationKind:`query`,text:`query LivePagePageQuery(
  $after: String
  $first: Int
) {
  viewer {
    ...LivePage_viewer_2HEEH6
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}

fragment LivePage_viewer_2HEEH6 on Viewer {
  liveFeed(first: $first, after: $after) {
    snapshotAt
    edges {
      cursor
      state
      node {
        id
        ...LiveCard_session
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})(),x=(function(){var e=[`liveFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`viewer`],operation:b}},name:`LivePage_viewer`,selections:[{alias:`liveFeed`,args:null,concreteType:`LiveConnection`,kind:`LinkedField`,name:`__LivePage_liveFeed_connection`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`LiveCard_session`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})(),S=e(),C=t(),w=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{kind:`Variable`,name:`since`,variableName:`since`}],n={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`liveSessionId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null}],storageKey:null}],storageKey:null},s],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},a,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},o],storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},s],storageKey:null}]},params:{cacheID:`6be9c09fc23bcd9a2808c43c25da8a91`,id:null,metadata:{},name:`changesLiveSubscription`,operationKind:`subscription`,text:`subscription changesLiveSubscription(
  $since: String!
) {
  liveChanges(since: $since) {
    changes {
      kind
      liveSessionId
      edge {
        cursor
        state
        node {
          id
          ...LiveCard_session
        }
      }
    }
    syncToken
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})();function T(e,t,n){let r=(0,C.useRelayEnvironment)(),i=l(),a=(0,S.useRef)(n);(0,S.useEffect)(()=>{a.current=n});let o=(0,S.useRef)(null);(0,S.useEffect)(()=>{if(e!==null)return o.current=new h(r,i,{subscription:w,begin:()=>Promise.resolve(e),apply:({liveChanges:{changes:e,syncToken:t}})=>(a.current(e),t)}),o.current.start()},[r,i,e]),(0,S.useEffect)(()=>{if(!t)return;let e=o.current?.since??null;return()=>{e!==null&&e!==o.current?.since&&o.current?.goOn(e)}},[t])}function E(e,t){(0,v.commitLocalUpdate)(e,e=>{let n=O(e);if(n){for(let{cursor:r,state:i,node:a}of t){let t=e.get(a.id);if(!t)continue;v.ConnectionHandler.deleteNode(n,a.id);let o=v.ConnectionHandler.createEdge(e,n,t,`LiveEdge`);o.setValue(r,`cursor`),o.setValue(i,`state`),v.ConnectionHandler.insertEdgeAfter(n,o)}n.setValue(new Date().toISOString(),`snapshotAt`)}})}function D(e,t){(0,v.commitLocalUpdate)(e,e=>{let n=O(e);if(n)for(let e of t)v.ConnectionHandler.deleteNode(n,e)})}function O(e){let t=e.getRoot().getLinkedRecord(`viewer`);return t&&v.ConnectionHandler.getConnection(t,`LivePage_liveFeed`)}var k=``;function A(e,t){let[n,r]=[j(e),j(t)],i=M(r.at,n.at);return M(n.state,r.state)||(n.state===k?-i:i)||M(r.id,n.id)}function j({cursor:e}){let t=atob(e.replace(/-/g,`+`).replace(/_/g,`/`));return{state:t.slice(2,3),at:t.slice(35,43),id:t.slice(43,51)}}function M(e,t){return e===t?0:e<t?-1:1}var N=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`scheduleLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ScheduleButtonMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ScheduleButtonMutation`,selections:t},params:{cacheID:`3585c2e1c63de36d3d01555b300c9501`,id:null,metadata:{},name:`ScheduleButtonMutation`,operationKind:`mutation`,text:`mutation ScheduleButtonMutation(
  $input: ScheduleLiveInput!
) {
  scheduleLive(input: $input) {
    liveSession {
      id
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),P=r();function F(e){return new Date(e.getTime()-e.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function I({onScheduled:e}){let[t,n]=(0,S.useState)(!1);return(0,P.jsxs)(P.Fragment,{children:[(0,P.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>n(!0),children:_.schedule.open}),t&&(0,P.jsx)(m,{title:_.schedule.title,onClose:()=>n(!1),children:(0,P.jsx)(L,{onDone:()=>{n(!1),e()}})})]})}function L({onDone:e}){let t=(0,C.useRelayEnvironment)(),n=o(),[r,s]=(0,S.useState)(``),[c,l]=(0,S.useState)(()=>F(new Date(Date.now()+36e5))),[d,f]=(0,S.useState)(``),p=async()=>{f(``);try{await u(t,{mutation:N,variables:{input:{title:r,scheduledAt:new Date(c).toISOString()}}})}catch(e){f(_.schedule.failed(i(a(e))));return}n.show({tone:`good`,title:_.schedule.done}),e()};return(0,P.jsxs)(`form`,{className:`form`,onSubmit:e=>{e.preventDefault(),p()},children:[(0,P.jsxs)(`label`,{children:[_.schedule.titleField,` `,(0,P.jsx)(`input`,{required:!0,dir:`auto`,maxLength:200,value:r,onChange:e=>s(e.target.value)})]}),(0,P.jsxs)(`label`,{children:[_.schedule.startField,` `,(0,P.jsx)(`input`,{required:!0,type:`datetime-local`,min:F(new Date),value:c,onChange:e=>l(e.target.value)})]}),d&&(0,P.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:d}),(0,P.jsx)(`div`,{className:`dialog-foot`,children:(0,P.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:_.schedule.submit})})]})}var R=20,z=y;function B({attempt:e}){let{viewer:t}=(0,C.useLazyLoadQuery)(z,{first:R},{fetchKey:e,fetchPolicy:`store-and-network`});return t&&(0,P.jsx)(V,{viewer:t,token:t.liveFeed.syncToken??null})}function V({viewer:e,token:t}){let{data:n,...r}=(0,C.usePaginationFragment)(x,e),{edges:i,snapshotAt:a}=n.liveFeed,o=(0,S.useMemo)(()=>i.filter(e=>e.node!=null).sort(A),[i]),{refresh:l,busy:u}=U(),m=H({edges:o,token:t,loading:r.isLoadingNext,refresh:l});return(0,P.jsxs)(P.Fragment,{children:[(0,P.jsx)(p,{title:_.live.title,children:(0,P.jsx)(I,{onScheduled:l})}),(0,P.jsxs)(`div`,{className:`live-bar`,children:[(0,P.jsx)(`p`,{role:`status`,children:m?_.live.changed:_.live.asOf(a)}),(0,P.jsxs)(`button`,{type:`button`,className:m?`button button-small button-primary`:`button button-small`,"aria-busy":u,onClick:()=>void l(),children:[(0,P.jsx)(c,{name:`refresh`}),` `,_.live.refresh]})]}),(0,P.jsx)(g,{edges:o,pages:r,empty:(0,P.jsxs)(d,{icon:`live`,title:_.live.empty,children:[(0,P.jsx)(`p`,{children:_.live.emptyHint}),(0,P.jsx)(f,{className:`button button-primary`,href:`/search`,children:s.app.findPeople})]})})]})}function H({edges:e,token:t,loading:n,refresh:r}){let i=(0,C.useRelayEnvironment)(),[a,o]=(0,S.useState)(null),s=a!==null&&a===t,c=(0,S.useRef)(r);return(0,S.useEffect)(()=>{c.current=r}),T(t,n,n=>{if(n.some(({kind:e})=>e===`RESET`)){o(t),scrollY>0&&c.current();return}D(i,n.flatMap(({kind:e,liveSessionId:t})=>e===`REMOVED`&&t?[t]:[]));let r=n.flatMap(({edge:t})=>t&&!e.some(e=>e.node.id===t.node.id&&A(e,t)===0)?[t]:[]);r.length&&(scrollY>0?o(t):E(i,r))}),(0,S.useEffect)(()=>{if(!s)return;let e=()=>{scrollY===0&&c.current()};return e(),addEventListener(`scroll`,e),()=>removeEventListener(`scroll`,e)},[s]),s}function U(){let e=(0,C.useRelayEnvironment)(),t=o(),[n,r]=(0,S.useState)(!1);return{refresh:async()=>{if(!n){r(!0);try{await(0,C.fetchQuery)(e,z,{first:R},{fetchPolicy:`network-only`}).toPromise()}catch(e){let n=a(e);t.show({tone:`bad`,title:_.live.refreshFailed,text:i(n),requestId:n.requestId,away:n.away})}finally{r(!1)}}},busy:n}}export{B as default};