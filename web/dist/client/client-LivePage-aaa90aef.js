import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{B as i,R as a,U as o,W as s,X as c,f as l,j as u,s as d,t as f}from"./client-PageHead-31b1a8c5.js";import{t as p}from"./client-LiveList-fad8cbf2.js";import{i as m,p as h}from"./client-5b8b2cc7.js";import{t as g}from"./client-pages-44ae3814.js";n();var _=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`2c78b93f6211bba3b3af748ccdcda4a7`,id:null,metadata:{},name:`LivePageQuery`,operationKind:`query`,text:`query LivePageQuery(
  $first: Int!
) {
  viewer {
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
      state
      node {
        id
        state
        scheduledAt
        ...LiveCard_session
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})(),v=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],n={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`LivePage_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LivePagePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[n,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,n,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`LivePage_liveFeed`,kind:`LinkedHandle`,name:`liveFeed`}],storageKey:null}]},params:{cacheID:`5029da4c0bb616a74fb88332e6df8a70`,id:null,metadata:{},name:`LivePagePageQuery`,operationKind:`query`,text:`query LivePagePageQuery(
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
      state
      node {
        id
        state
        scheduledAt
        ...LiveCard_session
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
`}}})(),y=(function(){var e=[`liveFeed`],t={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`viewer`],operation:v}},name:`LivePage_viewer`,selections:[{alias:`liveFeed`,args:null,concreteType:`LiveConnection`,kind:`LinkedField`,name:`__LivePage_liveFeed_connection`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`snapshotAt`,storageKey:null},{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[t,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`LiveCard_session`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})(),b=e(),x=t(),S=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`scheduleLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`ScheduleButtonMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`ScheduleButtonMutation`,selections:t},params:{cacheID:`3585c2e1c63de36d3d01555b300c9501`,id:null,metadata:{},name:`ScheduleButtonMutation`,operationKind:`mutation`,text:`mutation ScheduleButtonMutation(
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
`}}})(),C=r();function w(e){return new Date(e.getTime()-e.getTimezoneOffset()*6e4).toISOString().slice(0,16)}function T({onScheduled:e}){let[t,n]=(0,b.useState)(!1);return(0,C.jsxs)(C.Fragment,{children:[(0,C.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>n(!0),children:g.schedule.open}),t&&(0,C.jsx)(h,{title:g.schedule.title,onClose:()=>n(!1),children:(0,C.jsx)(E,{onDone:()=>{n(!1),e()}})})]})}function E({onDone:e}){let t=(0,x.useRelayEnvironment)(),n=o(),[r,s]=(0,b.useState)(``),[c,u]=(0,b.useState)(()=>w(new Date(Date.now()+36e5))),[d,f]=(0,b.useState)(``),p=async()=>{f(``);try{await l(t,{mutation:S,variables:{input:{title:r,scheduledAt:new Date(c).toISOString()}}})}catch(e){f(g.schedule.failed(i(a(e))));return}n.show({tone:`good`,title:g.schedule.done}),e()};return(0,C.jsxs)(`form`,{className:`form`,onSubmit:e=>{e.preventDefault(),p()},children:[(0,C.jsxs)(`label`,{children:[g.schedule.titleField,` `,(0,C.jsx)(`input`,{required:!0,dir:`auto`,maxLength:200,value:r,onChange:e=>s(e.target.value)})]}),(0,C.jsxs)(`label`,{children:[g.schedule.startField,` `,(0,C.jsx)(`input`,{required:!0,type:`datetime-local`,min:w(new Date),value:c,onChange:e=>u(e.target.value)})]}),d&&(0,C.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:d}),(0,C.jsx)(`div`,{className:`dialog-foot`,children:(0,C.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:g.schedule.submit})})]})}var D=20,O=_;function k({attempt:e}){let{viewer:t}=(0,x.useLazyLoadQuery)(O,{first:D},{fetchKey:e,fetchPolicy:`store-and-network`});return t&&(0,C.jsx)(A,{viewer:t})}function A({viewer:e}){let{data:t,...n}=(0,x.usePaginationFragment)(y,e),{edges:r,snapshotAt:i}=t.liveFeed,a=r.some(e=>e.node!=null&&e.node.state!==e.state);m(r);let{refresh:o,busy:l}=j(),h=r.length<=D&&scrollY===0,_=(0,b.useRef)(o);return(0,b.useEffect)(()=>{_.current=o}),(0,b.useEffect)(()=>{a&&h&&_.current()},[a,h]),(0,C.jsxs)(C.Fragment,{children:[(0,C.jsx)(f,{title:g.live.title,children:(0,C.jsx)(T,{onScheduled:o})}),(0,C.jsxs)(`div`,{className:`live-bar`,children:[(0,C.jsx)(`p`,{role:`status`,children:a?g.live.changed:g.live.asOf(i)}),(0,C.jsxs)(`button`,{type:`button`,className:a?`button button-small button-primary`:`button button-small`,"aria-busy":l,onClick:()=>void o(),children:[(0,C.jsx)(c,{name:`refresh`}),` `,g.live.refresh]})]}),(0,C.jsx)(p,{edges:r,pages:n,empty:(0,C.jsxs)(u,{icon:`live`,title:g.live.empty,children:[(0,C.jsx)(`p`,{children:g.live.emptyHint}),(0,C.jsx)(d,{className:`button button-primary`,href:`/search`,children:s.app.findPeople})]})})]})}function j(){let e=(0,x.useRelayEnvironment)(),t=o(),[n,r]=(0,b.useState)(!1);return{refresh:async()=>{if(!n){r(!0);try{await(0,x.fetchQuery)(e,O,{first:D},{fetchPolicy:`network-only`}).toPromise()}catch(e){let n=a(e);t.show({tone:`bad`,title:g.live.refreshFailed,text:i(n),requestId:n.requestId,away:n.away})}finally{r(!1)}}},busy:n}}export{k as default};